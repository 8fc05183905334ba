import type { CommandModule } from 'yargs';

export const DOCUMENTS = ['row', 'session', 'finding', 'manifest'] as const;
type DocumentName = (typeof DOCUMENTS)[number];

/** The form of what the program writes, as JSON Schema. */
export const schemaCommand: CommandModule<object, { document: DocumentName }> = {
  command: 'schema [document]',
  describe: 'JSON Schema of what it writes: row, session, finding or manifest',
  builder: (yargs) => yargs.positional('document', { choices: DOCUMENTS, default: 'row' as const, describe: 'what to describe' }).strict(),
  async handler({ document }) {
    // Loaded only now: the help answers without the schema library.
    const { jsonSchema } = await import('../pipeline/json-schema.js');
    process.stdout.write(`${JSON.stringify(jsonSchema(document), null, 2)}\n`);
  },
};
