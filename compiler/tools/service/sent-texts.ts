/** Completion for texts that belong to no file of the site, such as the input of a console. */
import { complete } from './answers/complete.ts'
import { sentTemplate } from './sent-template.ts'
import { Workspace } from './workspace.ts'

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 200

interface SentText {
  /** Folder of the site. */
  readonly root: string
  readonly content: string
  readonly offset: number
}

export class SentTexts {
  #workspace: Workspace | null = null

  /** Returns the matching labels, and how many characters before the cursor they replace. */
  async complete({
    root,
    content,
    offset,
  }: SentText): Promise<{ readonly labels: readonly string[]; readonly length: number }> {
    const workspace = await this.#of(root)
    const sent = sentTemplate(content)
    workspace.edit(sent.path, sent.text)
    const at = offset + sent.text.length - content.length
    const { start, suggestions } = complete(workspace, sent.path, at)
    const writtenText = sent.text.slice(start, at)
    const matching = suggestions.map(({ label }) => label).filter((label) => label.startsWith(writtenText))
    return { labels: [...new Set(matching)].slice(0, MAX_SUGGESTIONS), length: at - start }
  }

  async #of(root: string): Promise<Workspace> {
    if (this.#workspace?.root === root) return this.#workspace
    this.#workspace?.stop()
    const workspace = new Workspace(root, { diagnosed: () => undefined })
    await workspace.settled()
    this.#workspace = workspace
    return workspace
  }
}
