/** The result of linking: every file of a site by the names that it is called by, with overrides resolved. */
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
  /** Whether errors end the render; otherwise, they are printed in place. */
  readonly raise: boolean
  /** Whether a failed query ends the render; otherwise, its result has `errors`. */
  readonly raiseQueries: boolean
  readonly config: ConfigSettings
  /**
   * The same object for sites that differ only in the bodies of pages, partials and layouts. Names, settings, tables, queries and other
   * files are then the same.
   */
  readonly structureVersion: object
  /** All files that are used, in path order with the application before modules. Overridden files are left out. */
  readonly units: readonly Unit[]
  readonly byFile: ReadonlyMap<string, Unit>
  /** The names of the modules with at least one file. The empty name is the application. */
  readonly modules: ReadonlySet<string>
  readonly pages: readonly Unit<PageSettings>[]
  /** Layouts by logical name. If a name has several formats, the layout with `html` or without a format is used. */
  readonly layouts: ReadonlyMap<string, Unit<LayoutSettings>>
  /** All layouts by a unique key: the name, or `name.csv` for a second format. */
  readonly layoutKeys: ReadonlyMap<string, Unit<LayoutSettings>>
  /** The layout of each page, by the file of the page. Pages without a layout are left out. */
  readonly pageLayouts: ReadonlyMap<string, Unit<LayoutSettings>>
  /** Which setting computes the layout of a page at run time, by the file of the page. Pages with a fixed name are left out. */
  readonly computedLayouts: ReadonlyMap<string, 'page' | 'config'>
  /** Files in layout folders that are not the layout of a page or email, so that they can only be called as partials. */
  readonly layoutParts: ReadonlySet<Unit>
  /** Callable files by every name for calls: partials, files of `lib`, and files in layout folders as `layouts/<name>`. */
  readonly partials: ReadonlyMap<string, Unit>
  readonly policies: ReadonlyMap<string, Unit<PolicySettings>>
  readonly forms: ReadonlyMap<string, Unit<FormSettings>>
  /** Forms with a known resource and the types of their fields, by file. */
  readonly formSchemas: ReadonlyMap<string, LinkedForm>
  readonly emails: ReadonlyMap<string, Unit<EmailSettings>>
  readonly smses: ReadonlyMap<string, Unit<SmsSettings>>
  readonly apiCalls: ReadonlyMap<string, Unit<ApiCallSettings>>
  readonly graphql: ReadonlyMap<string, Unit>
  readonly data: DataSchema
  /** Migrations, in the order in which they run. */
  readonly migrations: readonly Unit<MigrationSettings>[]
  /** Translations by locale. The keys of modules are below `modules/<name>`. */
  readonly translations: TranslationTree
  /** File paths by URL path below `/assets/`. */
  readonly assets: ReadonlyMap<string, string>
  /** Whether every template may be called from outside: the library renders any of them by name. */
  readonly openEntries: boolean
  /** Whether reading a missing variable or a missing key of a hash is an error. */
  readonly strictVariables: boolean
  /** Whether base Liquid rejects unknown filters. */
  readonly strictFilters: boolean
  /** Whether values of the library host may be other than plain data. */
  readonly takesHosted: boolean
  /** The values that the library host provides to every template, by name, with their types. */
  readonly globals: ReadonlyMap<string, Type>
  /** Whether the host provides no other values. */
  readonly globalsAreAll: boolean
  /** Whether the code counts the nodes that it renders and the sizes of assigned values. */
  readonly scored: boolean
  /** The names of partials that request tests run. */
  readonly testRuns: readonly string[]
}
