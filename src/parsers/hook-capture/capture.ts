import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { captureContext, type Surroundings } from './context.js';
import { type CapturedEvent, eventsOf, timeInText } from './events.js';
import { type Found, objectsIn } from './objects.js';
import { OpenCalls } from './pairing.js';
import { readPayload } from './payload.js';
import { payloadRows } from './rows.js';
import { looksCaptured } from './sniff.js';

// Captures of hook payloads: what Kiro IDE, Kiro CLI or Amazon Q CLI handed to a hook command, appended to a file by a team.
// They prove that the host announced a prompt, a call or a result to a hook; a result also that the tool ended. They cannot show
// when (a payload holds no time: only what the capture added), who wrote a prompt, mostly which program and version it was, and
// on Kiro IDE the arguments of a write or a command behind its end. A pre-call without a result may have been blocked,
// interrupted, or the capture stopped. Whoever runs a hook can write what they like: the file is no record of the program.
// Versions: Kiro IDE 0.12, 1.0.165 to 1.2.37, Kiro CLI 2.6.1 and 2.18.1, Amazon Q CLI 1.13 and later. Evidence: L4;
// awslabs/aidlc-workflows: harness/kiro-ide; aws/amazon-q-developer-cli: docs/hooks.md; captures of both.

export const hookCapture: FileParser = { id: 'hook-capture', container: 'file', echo: 'retold', detect: looksCaptured, parse };

const ENVIRONMENT = /^[A-Z_][A-Z0-9_]{0,100}=/;

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const project = artifact.inProject ? artifact.base : '';
  const calls = new OpenCalls();
  for (const found of objectsIn(source)) {
    if (found.kind === 'error') yield { ...found.draft, project_path: project };
    else if (found.kind === 'text') yield { ...textRow(found), project_path: project };
    else yield* objectRows(found, project, calls);
  }
  yield* unanswered(calls);
}

/** A line without an object: of a probe that dumps its environment, a header with a time, or nothing that can be read. */
function textRow({ text, place }: Found & { kind: 'text' }): Draft {
  const time = timeInText(text);
  if (ENVIRONMENT.test(text)) return { row_type: 'log', text: `log: environment: ${text}`, time: undefined, origin: 'automatic', ...place };
  if (time) return { row_type: 'log', text: `log: ${text}`, time, origin: 'automatic', ...place };
  return { ...errorDraft('unparseable line (no JSON object)', text, place), details: { line: text } };
}

function* objectRows(found: Found & { kind: 'object' }, project: string, calls: OpenCalls): Generator<Draft> {
  const { prefix, place, problem, damaged } = found;
  const around: Surroundings = { place, project, prefix, prefixTime: timeInText(prefix), problem, damaged };
  for (const event of eventsOf(found.value)) {
    if (event.payload !== undefined) {
      yield* payloadRows(captureContext(readPayload(event.payload), event, around, calls));
    } else yield plainRow(event, around);
  }
}

/** What is no payload: a plain prompt on the 0.12 channel, a note beside payloads, or an object of another kind. */
function plainRow(event: CapturedEvent, { place, project, prefix, prefixTime, problem, damaged }: Surroundings): Draft {
  const columns = { ...place, source_pointer: `${place.source_pointer ?? ''}${event.pointer}`, project_path: project, ...damaged };
  const time = event.time ?? prefixTime;
  const details = { ...(prefix === '' ? {} : { prefix }) };
  if (event.plainPrompt !== undefined) {
    const more = Object.keys(event.around).length > 0 ? { wrapper: event.around } : {};
    return {
      row_type: 'prompt',
      text: event.plainPrompt,
      agent: 'kiro-ide',
      origin: 'unknown',
      time,
      ...columns,
      problem,
      details: { ...details, ...more },
    };
  }
  if (event.note) {
    return {
      row_type: 'log',
      text: `log: note beside hook payloads${pairs(event.around)}`,
      ...columns,
      details: { ...details, note: event.around },
    };
  }
  return {
    ...errorDraft('hook capture: the object is no hook payload', JSON.stringify(event.around)),
    ...columns,
    details: { ...details, value: event.around },
  };
}

function* unanswered(calls: OpenCalls): Generator<Draft> {
  const { unanswered: open, uncaptured } = calls.rest();
  for (const { payload, agent, command, place } of open) {
    yield {
      row_type: 'gap',
      text: `gap: no result for call tool=${payload.tool}${pairs({ command })}`,
      agent,
      session_id: payload.session,
      project_path: payload.cwd,
      tool_name: payload.tool,
      tool_use_id: payload.toolUseId,
      command,
      status: 'unknown',
      outcome: 'ambiguous',
      newRun: true,
      problem: 'the call was blocked, interrupted, or the capture stopped: which is not recorded',
      ...place,
    };
  }
  if (uncaptured === 0) return;
  yield {
    row_type: 'gap',
    text: `gap: the capture holds no results calls=${uncaptured}`,
    newRun: true,
    problem: 'only events ahead of calls were captured: how the calls ended is not recorded here',
  };
}
