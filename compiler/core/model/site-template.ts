/** A template of a site: the body of a file, or Liquid in its settings. Data only. */
import type { Outline } from './outline.ts'
import type { Template, Unit } from './unit.ts'

/** A template to be checked: a file's body, or Liquid in a value of its settings. */
export interface SiteTemplate {
  /** The file's path, with `#` and the value's path for Liquid in settings. */
  readonly key: string
  readonly unit: Unit
  readonly template: Template
  /** Path of the value in the settings; null for the file's body. */
  readonly inner: string | null
  readonly outline: Outline
}
