/** Files that the bundler puts into the program as text; each is imported `with { type: 'text' }`. */

declare module '*.html' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.browser.js' {
  const text: string
  export default text
}
