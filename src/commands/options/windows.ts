import type { ProgramTable } from './program.js';

/** Programs of Windows whose options begin with `/`; cmdlets of PowerShell have rules of their own. */
export const WINDOWS: ProgramTable = {
  'del|erase|rd|rmdir|copy|xcopy|robocopy|move|ren|type|dir|attrib|icacls|takeown|cipher|findstr|format|more': {
    slash: true,
    single: true,
  },
  'schtasks|reg|net|net1|sc|wmic|vssadmin|wbadmin|bcdedit|wevtutil|cmdkey|vaultcmd|netsh|taskkill|shutdown|fsutil|diskpart|msiexec': {
    slash: true,
  },
  'start|cmd|where|tasklist|certutil|bitsadmin|mklink|setx|runas': { slash: true, single: true },
  'powershell|pwsh': { single: true, firstOperand: true },
};
