import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../queries/', import.meta.url);
const ORDER = [
  'rows',
  'hosts',
  'what-ran',
  'who-allowed-it',
  'standing-grants',
  'what-was-touched',
  'secrets',
  'missing',
  'recovered',
  'to-parquet',
];

/** `docs/queries.md`: the query pack with the text of each file. */
export function queriesText(generated: string): string {
  const files = readdirSync(fileURLToPath(FOLDER)).sort();
  const expected = ORDER.map((name) => `${name}.sql`).sort();
  if (files.join() !== expected.join()) throw new Error(`queries: name every file in ORDER (${files.join(', ')})`);
  return `${generated}

# Questions to a timeline, in SQL

DuckDB reads the JSONL as it is, one timeline or the timelines of many machines, without a server or an import. The queries below lie in the folder
\`queries\` of the package. First name the files and read the rows; then any of the others:

\`\`\`sh
kirotrail /mnt/laptop/home --host laptop -o case/laptop.jsonl
kirotrail /mnt/server/home --host server -o case/server.jsonl
duckdb -c "SET VARIABLE timelines = 'case/*.jsonl'" -c ".read queries/rows.sql" -c ".read queries/what-ran.sql"
\`\`\`

\`timelines\` is a file, a pattern or a list. Give each machine its \`--host\`: queries join calls and decisions within one machine and user. To compare
secrets over machines, make all timelines with one \`--fingerprint-key\`. A \`time\` of NULL is a row for which the store records no time. A line above 64 MiB is refused by
name; raise \`maximum_object_size\` in \`rows.sql\` then.

From Parquet, the view is \`CREATE VIEW timeline AS SELECT * FROM 'timeline.parquet'\`, and every query works as it is.

${ORDER.map(section).join('\n')}`;
}

/** The first comment line is the title, the further ones tell what the answer means. */
function section(name: string): string {
  const text = readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8');
  const comment = text.split('\n').filter((line, i, all) => all.slice(0, i + 1).every((before) => before.startsWith('-- ')));
  const [title = '', ...meaning] = comment.map((line) => line.slice(3));
  const sql = text.split('\n').slice(comment.length).join('\n').trim();
  return `## ${title.replace(/:.*$/, '')}\n\n\`queries/${name}.sql\`. ${meaning.join(' ')}\n\n\`\`\`sql\n${sql}\n\`\`\`\n`;
}
