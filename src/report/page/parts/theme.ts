/** Dark or light: the system's choice first, then the reader's for as long as the page is open. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const dark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset.theme = dark ? 'light' : 'dark';
}
