import { isObject, type JsonObject } from '../../evidence/json.js';
import { imageInfo } from '../kiro-v2/images.js';
import { textOf } from './frame.js';

/** Texts, images and everything else of a list of ACP content blocks. */
export function contentOf(blocks: unknown): { readonly text: string; readonly details: JsonObject } {
  const list: unknown[] = Array.isArray(blocks) ? blocks : blocks === undefined || blocks === null ? [] : [blocks];
  const texts: string[] = [];
  const images: JsonObject[] = [];
  const others: unknown[] = [];
  for (const block of list) {
    const inner =
      isObject(block) && block.type === 'content' && Object.keys(block).length === 2 && isObject(block.content) ? block.content : block;
    if (isObject(inner) && inner.type === 'text' && typeof inner.text === 'string' && Object.keys(inner).length === 2)
      texts.push(textOf(inner.text));
    else if (isObject(inner) && inner.type === 'image') images.push(imageInfo(inner));
    else if (typeof inner === 'string') texts.push(inner);
    else others.push(inner);
  }
  return {
    text: texts.join('\n'),
    details: { ...(images.length > 0 ? { images } : {}), ...(others.length > 0 ? { blocks: others } : {}) },
  };
}
