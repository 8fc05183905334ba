import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PAGE = fileURLToPath(new URL('../../../src/report/page', import.meta.url));
const FORBIDDEN =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc|document\.write|localStorage|sessionStorage|indexedDB|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|eval)\b|\bfetch\(|new Function\b/;

const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const read = (name: string) => readFileSync(`${PAGE}/${name}`, 'utf8');

describe('the source of the viewer', () => {
  it('makes no markup out of text, runs no text, asks no network, stores nothing', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((name) => FORBIDDEN.test(read(name)))).toEqual([]);
  });

  it('leaves the brand of evidence in one file only', () => {
    expect(files.filter((name) => /\bas unknown as\b|\bas any\b|: any\b/.test(read(name)))).toEqual(['text/raw.ts']);
  });
});
