/** The writing of a page alone, from rows of a timeline to the file, in seconds on standard output. No analysis: it has no findings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statementOf } from '../src/pipeline/report-facts.js';
import { encodePages } from '../src/pipeline/report-pages.js';
import { writeReport } from '../src/pipeline/report-write.js';
import { TimelineFile } from '../src/pipeline/timeline-file.js';
import { loadAssets } from '../src/report/write/assets.js';
import { ReportFiles } from '../src/report/write/files.js';
import { REPORT_LIMITS } from '../src/report/write/limits.js';
import { Plan } from '../src/report/write/plan.js';

const [, , path = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'kirotrail-writer-'));
try {
  const file = new TimelineFile(path, true);
  const plan = new Plan(true);
  for await (const batch of file.rows()) for (const row of batch) plan.add(row, true);
  const start = performance.now();
  const assets = loadAssets();
  const pages = await encodePages(() => file.rows(), plan, {
    scratch: folder,
    limits: REPORT_LIMITS,
    single: false,
    withTexts: true,
    besides: 0,
  });
  const facts = { sessions: [], findings: [], inputs: [], notRead: [], titleOf: () => '' };
  const files = new ReportFiles(join(folder, 'report.html'), false);
  const content = {
    facts,
    statement: statementOf('bench', '', undefined),
    scope: '',
    remarks: [],
    texts: true,
    limits: REPORT_LIMITS,
    assets,
    counts: plan.total,
  };
  writeReport(files, pages, content, folder);
  files.finish();
  console.log(((performance.now() - start) / 1000).toFixed(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
