/** Markdown files are bundled as texts. */
declare module '*.md' {
  const text: string
  export default text
}
