/** Converts pages that are written in Markdown. */

export interface Markdown {
  /** Converts a text to HTML. Results are cached, because most Markdown pages print the same for everyone. */
  html(text: string): Promise<string>
}
