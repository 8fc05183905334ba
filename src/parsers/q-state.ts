/**
 * The tables `state`, `auth_kv` and `migrations`. Values that are credentials never leave the database: of those only the key
 * and the size are told.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/database/mod.rs, auth/builder_id.rs.
 */
import type { Snapshot, SnapshotRow } from '../evidence/sqlite.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft } from '../rows/problem.js';
import { fromEpochSeconds } from '../rows/time.js';
import { withheldValues } from './q-withheld.js';

const MEANING: Readonly<Record<string, string>> = {
  'telemetry.lastHeartbeatDate': 'last day the program was active (UTC)',
  'changelog.lastVersion': 'last version that ran',
  'api.codewhisperer.profile': 'service profile; its ARN holds the AWS account',
  'auth.idc.start-url': 'identity centre in use',
  'auth.idc.region': 'identity centre region',
  telemetryClientId: 'install id',
  'profile.Migrated': 'profiles of versions before 1.13 were turned into agents',
};

/** Documented: `telemetry-cognito-credentials`. The pattern also keeps back what later versions may add. */
const CREDENTIAL = /credential|token|secret|password|private|api[-_.]?key/i;

/** One row per key, with its value unless it is a credential. */
export function* stateRows(database: Snapshot): Generator<Draft> {
  for (const item of database.iterate('state', ['key', 'value'])) {
    if (item.fault !== undefined) {
      yield tableFault('state', item.fault, item.rowid);
      continue;
    }
    const key = textOf(item.values[0]);
    const value = textOf(item.values[1]);
    const place = { source_line: item.rowid, source_pointer: '' };
    if (CREDENTIAL.test(key)) {
      yield {
        row_type: 'config',
        text: `credential stored: table=state key=${key} bytes=${Buffer.byteLength(value)}`,
        withheld: withheldValues(value, 'cognito-credentials'),
        ...place,
      };
      continue;
    }
    const note = MEANING[key];
    yield {
      row_type: 'config',
      text: `state: ${key}=${value}`,
      ...place,
      details: { key, ...(note === undefined ? {} : { note }) },
    };
  }
}

/** That a login is stored, by key; never its value. */
export function* credentialRows(database: Snapshot): Generator<Draft> {
  for (const item of database.iterate('auth_kv', ['key', 'value'])) {
    if (item.fault !== undefined) {
      yield tableFault('auth_kv', item.fault, item.rowid);
      continue;
    }
    const key = textOf(item.values[0]);
    yield {
      row_type: 'config',
      text: `credential stored: table=auth_kv key=${key} bytes=${sizeOf(database, 'auth_kv', item)}`,
      withheld: withheldValues(textOf(item.values[1]), 'auth-store'),
      source_line: item.rowid,
    };
  }
}

/** Schema changes, dated: the first run of the program and later upgrades. */
export function* migrationRows(database: Snapshot): Generator<Draft> {
  for (const item of database.iterate('migrations', ['id', 'version', 'migration_time'])) {
    if (item.fault !== undefined) {
      yield tableFault('migrations', item.fault, item.rowid);
      continue;
    }
    const [id, version, stored] = item.values.map(numberOf);
    const time = fromEpochSeconds(stored, 'record');
    yield {
      row_type: 'config',
      text: `database migration: version=${version ?? ''}`,
      time,
      source_line: item.rowid,
      details: { id: id ?? null },
      problem: time === undefined ? 'no usable migration time' : '',
    };
  }
}

export function tableFault(table: string, fault: string, rowid: number | null): Draft {
  return errorDraft(`table ${table}: ${fault}`, '', rowid === null ? {} : { source_line: rowid });
}

/** A stored value as text; bytes that are not UTF-8 become U+FFFD. */
export function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return value === null || value === undefined ? '' : String(value);
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

function sizeOf(database: Snapshot, table: string, item: SnapshotRow): number {
  try {
    return database.sizeOf(table, item.rowid, 'value');
  } catch {
    return 0;
  }
}
