export const tooDeep = (count: number): string => `${count} values nested too deeply are left out`;
