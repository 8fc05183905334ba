import type { ProgramTable } from './program.js';

/** Programs that read, change, copy, pack or delete files. */
export const FILES: ProgramTable = {
  'head|tail': { valued: '-n --lines -c --bytes -s --sleep-interval --pid' },
  'grep|egrep|fgrep|zgrep|ggrep': {
    valued:
      '-e --regexp -f --file -m --max-count -A --after-context -B --before-context -C --context --include --exclude --exclude-dir --exclude-from -d -D --label --binary-files',
  },
  rg: {
    valued:
      '-e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A --after-context -B --before-context -C --context -m --max-count -M --max-columns -j --threads --max-depth -d --sort --sortr -r --replace --colors --color --encoding -E --type-add --ignore-file --max-filesize --pre --path-separator --engine --context-separator',
  },
  ag: { valued: '-A -B -C -G --ignore --ignore-dir -m --max-count --depth -p --path-to-ignore --pager' },
  'sed|gsed': { attached: '-i', valued: '-e --expression -f --file -l --line-length' },
  'awk|gawk|mawk|nawk': { valued: '-F --field-separator -v --assign -f --file -i --include -l --load -e --source' },
  cut: { valued: '-d --delimiter -f --fields -c --characters -b --bytes --output-delimiter' },
  sort: {
    valued:
      '-k --key -t --field-separator -o --output -S --buffer-size -T --temporary-directory --parallel --batch-size --compress-program --files0-from',
  },
  'jq|yq|gojq': { valued: '-f --from-file -L --indent -I -o --output-format -p --input-format' },
  'find|gfind': {
    single: true,
    pathsFirst: true,
    valued:
      '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -newermt -newerct -newerat -user -group -uid -gid -perm -maxdepth -mindepth -printf -fprint -fprint0 -fls -inum -links -lname -ilname -samefile -fstype -used -D -context',
  },
  'fd|fdfind': {
    valued:
      '-e --extension -t --type -d --max-depth --min-depth -E --exclude -S --size -c --color -j --threads -o --owner --changed-within --changed-before --base-directory --search-path --max-results',
  },
  'locate|mdfind': { valued: '-n --limit -d --database -onlyin -l' },
  xxd: { valued: '-c -cols -g -l -len -o -s -seek -n -name -R' },
  'od|hexdump|hd': { valued: '-A -j -N -S -t -n -s -e -f' },
  'base64|base32|basenc|gbase64': { valued: '-w --wrap -i -o -b --break --input --output' },
  strings: { valued: '-n --bytes -t --radix -e --encoding -T --target -s' },
  'split|csplit': { valued: '-b --bytes -l --lines -n --number -a --suffix-length -C --additional-suffix --filter -t' },
  dd: {},
  truncate: { valued: '-s --size -r --reference' },
  'cp|mv|gcp|gmv': { valued: '-t --target-directory -S --suffix --no-preserve' },
  install: { valued: '-m --mode -o --owner -g --group -t --target-directory -S --suffix' },
  ln: { valued: '-t --target-directory -S --suffix' },
  'rm|srm|trash|trash-put|unlink|grm': {},
  shred: { valued: '-n --iterations -s --size --random-source' },
  tee: { valued: '' },
  touch: { valued: '-d --date -r --reference -t' },
  'mkdir|mkfifo': { valued: '-m --mode' },
  'chmod|chown|chgrp': { valued: '--reference' },
  tar: {
    valued:
      '-f --file -C --directory -T --files-from -X --exclude-from --exclude --strip-components --transform --xform -b --blocking-factor -g --listed-incremental -H --format -I --use-compress-program -K --mode --mtime --owner --group --to-command -N --newer -V --label -F --info-script --checkpoint-action --rsh-command --add-file --suffix --pax-option',
  },
  bsdtar: { valued: '-f --file -C --directory -T -X --exclude --include -b -s --strip-components --format --options' },
  zip: { valued: '-P --password -b --temp-path -t -n --suffixes -O --output-file -s --split-size -tt' },
  unzip: { valued: '-d -P -O -I' },
  '7z|7za|7zr|7zz|rar': { single: true },
  'gzip|gunzip|zcat|bzip2|bunzip2|xz|unxz|zstd|unzstd|lz4': { valued: '-S --suffix -T --threads -o -D --dict' },
  diff: { valued: '-U -C -x --exclude -X --exclude-from -I --label -L -W --width -F' },
  patch: { valued: '-p --strip -i --input -d --directory -o --output -r --reject-file -B -z -D' },
  iconv: { valued: '-f --from-code -t --to-code -o --output' },
  sqlite3: { single: true, valued: '-cmd -init -separator -newline -nullvalue -maxsize -vfs -mmap' },
  xmllint: { valued: '--xpath --schema --output --encoding -o --pattern --dtdvalid --relaxng' },
  wc: { valued: '--files0-from' },
  column: { valued: '-s -o -c -N -R -H -O' },
  pandoc: { valued: '-o --output -f --from -t --to -c --css --template -V --variable -H -B -A --metadata -M --filter -F --lua-filter -L' },
  'gcc|g++|cc|c++|clang|clang++|ld|as': {
    single: true,
    valued: '-o -I -L -x -include -isystem -arch -target -MF -MT -MQ -T -Xlinker -framework',
  },
};
