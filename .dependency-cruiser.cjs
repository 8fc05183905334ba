/** Imports run one way: rows <- evidence <- parsers; catalog, collect, enrich and write beside them; pipeline knows all. */
const allow = (from, to) => ({
  name: `${from}-imports`,
  severity: 'error',
  from: { path: `^src/${from}/` },
  to: { path: '^src/', pathNot: `^src/(${[from, ...to].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '^src/(cli|index)\\.ts$' }, to: {} },
    allow('rows', []),
    allow('process', []),
    allow('evidence', ['rows', 'process']),
    allow('catalog', []),
    allow('collect', ['catalog', 'evidence', 'rows']),
    allow('parsers', ['rows', 'evidence', 'recover']),
    allow('recover', ['rows', 'evidence']),
    allow('text', []),
    allow('secrets', ['rows', 'text']),
    allow('enrich', ['rows']),
    allow('commands', []),
    allow('analyze', ['commands', 'rows', 'text']),
    allow('merge', ['rows', 'enrich']),
    allow('write', ['rows', 'enrich', 'process']),
    {
      name: 'report-imports',
      comment:
        'The page is made from rows and from what the analysis says of them; of the pipeline it knows the form of the manifest alone.',
      severity: 'error',
      from: { path: '^src/report/', pathNot: '^src/report/page/' },
      to: { path: '^src/', pathNot: '^src/report/(?!page/)|^src/(rows|analyze|write)/|^src/(version|pipeline/manifest)\\.ts$' },
    },
    {
      name: 'page-imports',
      comment: 'The viewer runs in a browser, before evidence it does not trust: of the program it knows the form of the page, and types.',
      severity: 'error',
      from: { path: '^src/report/page/' },
      to: { path: '^src/', pathNot: '^src/report/(page/|format\\.ts$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-libraries',
      comment: 'Bundled into the script at build time; the notices at its head come from what went in.',
      severity: 'error',
      from: { path: '^src/report/page/' },
      to: { pathNot: '^src/|^node_modules/(preact|d3-time|@types/d3-time)/' },
    },
    {
      name: 'parsers-open-nothing',
      comment: 'A parser gets its bytes from the evidence layer: no file system, no process, no network.',
      severity: 'error',
      from: { path: '^src/(parsers|rows|enrich|commands|analyze|merge)/' },
      to: { path: '^(node:)?(fs|fs/promises|child_process|http|https|net|dgram|tls|process|os|worker_threads)$' },
    },
    {
      name: 'no-network',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(node:)?(http|https|http2|net|dgram|tls|dns|child_process)$' },
    },
    {
      name: 'sqlite-only-in-evidence',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/evidence/' },
      to: { path: 'better-sqlite3' },
    },
    {
      name: 'declared-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/report/page/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // Packages that name their entry only in `exports` are found, too.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
  },
};
