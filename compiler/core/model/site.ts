/** What linking gives: every unit of a site by the names that it is called by, overrides resolved. */
import type { Dialect, Syntax } from './dialect.ts'
import type { LinkedForm } from './form.ts'
import type { DataSchema } from './operation.ts'
import type {
  ApiCallSettings,
  ConfigSettings,
  EmailSettings,
  FormSettings,
  LayoutSettings,
  MigrationSettings,
  PageSettings,
  PolicySettings,
  SmsSettings,
  TranslationTree,
} from './settings.ts'
import type { Type } from './type.ts'
import type { Unit } from './unit.ts'

export interface Site {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** Errors end the render; otherwise they are printed in place. */
  readonly raise: boolean
  /** So does a query that fails; otherwise its result has `errors`. */
  readonly raiseQueries: boolean
  readonly config: ConfigSettings
  /**
   * The same object in sites that differ in nothing but what stands in the bodies of pages, partials and layouts: names, settings, tables
   * and queries are the same, and so are the other files.
   */
  readonly frame: object
  /** Every unit that takes part, in path order with the application before modules; overridden files are left out. */
  readonly units: readonly Unit[]
  readonly byFile: ReadonlyMap<string, Unit>
  /** Names of the modules of which there is any file; the empty name is the application's. */
  readonly modules: ReadonlySet<string>
  readonly pages: readonly Unit<PageSettings>[]
  /** By logical name; where a name has several formats, `html` or none first. */
  readonly layouts: ReadonlyMap<string, Unit<LayoutSettings>>
  /** Every layout by a key of its own: its name, and for a second format `name.csv`. */
  readonly layoutKeys: ReadonlyMap<string, Unit<LayoutSettings>>
  /** The layout of a page, by the page's file; pages without one are left out. */
  readonly pageLayouts: ReadonlyMap<string, Unit<LayoutSettings>>
  /** Whose setting computes the layout of a page when it is asked for, by the page's file; pages that name theirs are left out. */
  readonly computedLayouts: ReadonlyMap<string, 'page' | 'config'>
  /** Files of the layouts' folders that no page or e-mail has as its layout, so that only calls of partials can mean them. */
  readonly layoutParts: ReadonlySet<Unit>
  /** By every name that they can be called by: partials, files of `lib`, and as `layouts/<name>` those of the layouts' folders. */
  readonly partials: ReadonlyMap<string, Unit>
  readonly policies: ReadonlyMap<string, Unit<PolicySettings>>
  readonly forms: ReadonlyMap<string, Unit<FormSettings>>
  /** Forms whose resource is known, with the types of their fields, by file. */
  readonly formSchemas: ReadonlyMap<string, LinkedForm>
  readonly emails: ReadonlyMap<string, Unit<EmailSettings>>
  readonly smses: ReadonlyMap<string, Unit<SmsSettings>>
  readonly apiCalls: ReadonlyMap<string, Unit<ApiCallSettings>>
  readonly graphql: ReadonlyMap<string, Unit>
  readonly data: DataSchema
  /** In the order in which they run. */
  readonly migrations: readonly Unit<MigrationSettings>[]
  /** By locale; keys of modules stand below `modules/<name>`. */
  readonly translations: TranslationTree
  /** URL path below `/assets/` → path of the file. */
  readonly assets: ReadonlyMap<string, string>
  /** Every unit may be entered from outside: the library face renders any of them by name. */
  readonly openEntries: boolean
  /** Reading a variable, or a key of a hash, that is not there is an error. */
  readonly strictVariables: boolean
  /** Base Liquid refuses a filter that it does not know. */
  readonly strictFilters: boolean
  /** Values of the library's host need not be plain data. */
  readonly takesHosted: boolean
  /** What the host of the library gives to every template, by name, with the types of the values. */
  readonly globals: ReadonlyMap<string, Type>
  /** The host gives nothing else. */
  readonly globalsAreAll: boolean
  /** The code counts the nodes that it renders and the sizes of what it assigns. */
  readonly scored: boolean
}
