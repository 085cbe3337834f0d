/** Pages that are written in Markdown. */

export interface Markdown {
  /** The same text is converted once while it is remembered: most markdown pages print the same for everyone. */
  html(text: string): Promise<string>
}
