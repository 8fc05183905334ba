/** Names of folders that hold no evidence of ours and very many files. */
const NAMES = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.cache',
  '.npm',
  '.pnpm-store',
  '.yarn',
  '.cargo',
  '.rustup',
  '.gradle',
  '.m2',
  '.venv',
  'venv',
  '__pycache__',
  'site-packages',
  '.tox',
  'Cache',
  'CachedData',
  'Code Cache',
  'GPUCache',
  '.Trash',
  'Trash',
  'lancedb',
]);
const WINDOWS_NAMES = new Set(['$recycle.bin', 'system volume information', 'winsxs']);
/** Kernel file systems of a mounted root. */
const AT_TOP = new Set(['proc', 'sys', 'dev']);
/** Products of a build: entered, for they may lie in a project with a store, but nothing in them is an export. */
const BUILD = new Set(['build', 'dist', 'target', '.next']);

export function isExcludedName(name: string, belowRoot: boolean): boolean {
  // A table of the vector index of the IDE: gigabytes, no words.
  return NAMES.has(name) || name.endsWith('.lance') || WINDOWS_NAMES.has(name.toLowerCase()) || (belowRoot && AT_TOP.has(name));
}

export function isBuildFolder(name: string): boolean {
  return BUILD.has(name);
}

/** Folders of the IDE's agent that hold its index of the code, and copies and differences of project files. */
const IDE_SHUT = new Set(['index', '.diffs', 'out']);

/** Folders whose inside is not read, only one file at their top: shadow repositories and copies of indexed texts. `path` is in lower case. */
export function isShut(path: readonly string[]): boolean {
  if (path.at(-2) === 'kiro.kiroagent' && IDE_SHUT.has(path.at(-1) ?? '')) return true;
  const [a, b, c] = path.slice(-4);
  return path.length >= 4 && a === '.aws' && b === 'amazonq' && (c === 'cli-checkouts' || c === 'knowledge_bases');
}

const DATA_PARENTS = new Set(['share', 'application support', 'local']);
const DATA_NAMES = new Set(['amazon-q', 'codewhisperer', 'kiro-cli']);

/** A folder that belongs to a known program as a whole, so that a file in it that nobody claims is worth a mention. */
export function isStoreFolder(path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  return (
    name === '.amazonq' ||
    (name === 'kiro.kiroagent' && parent === 'globalstorage') ||
    (name === 'amazonq' && parent === '.aws') ||
    (DATA_NAMES.has(name) && DATA_PARENTS.has(parent))
  );
}

// A database is found by its content, whatever it is called: .sqlite and .db are not in this list.
const BINARY = new Set(
  `png jpg jpeg gif bmp tif tiff ico icns webp avif heic psd svgz mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg opus wmv
  zip gz tgz bz2 xz zst 7z rar tar jar war ear whl deb rpm apk dmg iso img vmdk vhd vhdx qcow2 cab msi appimage snap
  ttf otf woff woff2 eot exe dll sys so dylib bin o a lib obj pdb class pyc pyo wasm node elc
  pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi parquet feather onnx pt pth safetensors gguf npy npz h5 pack idx
  etl evtx pf dmp mdb accdb`.split(/\s+/),
);

export function hasBinaryEnding(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && BINARY.has(name.slice(dot + 1).toLowerCase());
}
