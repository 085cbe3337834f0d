/** Markdown, stylesheets and HTML are bundled as texts. */
declare module '*.md' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.html' {
  const text: string
  export default text
}
