/** Short names of cmdlets, as a fresh PowerShell has them. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iwr: 'invoke-webrequest',
    curl: 'curl',
    wget: 'wget',
    irm: 'invoke-restmethod',
    iex: 'invoke-expression',
    icm: 'invoke-command',
    ii: 'invoke-item',
    ri: 'remove-item',
    rm: 'remove-item',
    del: 'remove-item',
    erase: 'remove-item',
    rd: 'remove-item',
    rmdir: 'remove-item',
    rp: 'remove-itemproperty',
    gc: 'get-content',
    cat: 'get-content',
    type: 'get-content',
    sc: 'set-content',
    ac: 'add-content',
    clc: 'clear-content',
    cpi: 'copy-item',
    copy: 'copy-item',
    cp: 'copy-item',
    mi: 'move-item',
    move: 'move-item',
    mv: 'move-item',
    rni: 'rename-item',
    ren: 'rename-item',
    gci: 'get-childitem',
    ls: 'get-childitem',
    dir: 'get-childitem',
    gi: 'get-item',
    ni: 'new-item',
    md: 'mkdir',
    sp: 'set-itemproperty',
    gp: 'get-itemproperty',
    sl: 'set-location',
    cd: 'set-location',
    chdir: 'set-location',
    pushd: 'push-location',
    popd: 'pop-location',
    gwmi: 'get-wmiobject',
    gps: 'get-process',
    ps: 'get-process',
    spps: 'stop-process',
    kill: 'stop-process',
    saps: 'start-process',
    start: 'start-process',
    sajb: 'start-job',
    sls: 'select-string',
    select: 'select-object',
    where: 'where-object',
    '?': 'where-object',
    foreach: 'foreach-object',
    '%': 'foreach-object',
    sort: 'sort-object',
    tee: 'tee-object',
    echo: 'write-output',
    write: 'write-output',
    clhy: 'clear-history',
    h: 'get-history',
    ipmo: 'import-module',
    epcsv: 'export-csv',
    ipcsv: 'import-csv',
  }),
);

const VERBS =
  'Add|Clear|Close|Compare|Complete|Compress|Connect|Convert|ConvertFrom|ConvertTo|Copy|Debug|Disable|Disconnect|Dismount|Enable|Enter|Exit|Expand|Export|Find|ForEach|Format|Get|Group|Import|Initialize|Install|Invoke|Join|Lock|Measure|Mount|Move|New|Out|Pop|Publish|Push|Read|Receive|Register|Remove|Rename|Repair|Request|Reset|Resize|Resolve|Restart|Restore|Resume|Save|Search|Select|Send|Set|Show|Sort|Split|Start|Stop|Submit|Suspend|Switch|Sync|Tee|Test|Trace|Unblock|Uninstall|Unlock|Unprotect|Unpublish|Unregister|Update|Use|Wait|Watch|Where|Write';

const CMDLET = new RegExp(`^(?:${VERBS.toLowerCase()})-[a-z]+$`);
/** As people write it. In lower case only names that no program of a POSIX system has. */
const STARTS = new RegExp(
  `(?:^|[;|&({\\n=])[ \\t]*(?:(?:${VERBS})-[A-Z]\\w+|(?:get|set|add|clear|copy|move|remove|new|out)-(?:content|item|childitem|itemproperty|mppreference)\\b|invoke-(?:webrequest|restmethod|expression|command)\\b|(?:iex|iwr|irm)[ \\t(]|\\$env:\\w+\\s*=|\\[[A-Z][\\w.]+\\]::)`,
);

/** Whether a name is a cmdlet, so that its options are parameters. */
export function isCmdlet(name: string): boolean {
  return CMDLET.test(name);
}

/** Whether a statement of the text begins as only PowerShell begins one. */
export function looksLikePowerShell(text: string): boolean {
  return STARTS.test(text);
}

/** Programs that only Windows has. */
const WINDOWS_ONLY =
  /^(?:@?echo off\s{0,9}[&\n]\s{0,9})?(?:reg|schtasks|vssadmin|wbadmin|wevtutil|bcdedit|cmdkey|vaultcmd|wmic|netsh|cipher|icacls|takeown|attrib|xcopy|robocopy|certutil|bitsadmin|diskpart|msiexec|taskkill|net|sc|del|erase|rd|copy|move|type|dir|format|fsutil|mklink|setx|procdump\d{0,3})(?:\.exe)?\s|^cd\s{1,9}(?:\/d\s{1,9})?"?[a-z]:\\|^"?[a-z]:\\/i;

/** Whether the text is one for cmd, though its tool does not say so: there, `\` is no escape. */
export function looksLikeCmd(text: string): boolean {
  return WINDOWS_ONLY.test(text.slice(0, 200).trimStart()) && /\\|\s\/[A-Za-z?]/.test(text);
}
