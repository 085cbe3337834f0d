/** The exports of an emitted site (`site.mjs`), which a host loads. They are only data and functions. */
import type * as compiled from './compiled.ts'
import type { Render } from './render.ts'

/** Version of the interface between emitted code and this runtime. A bundle with another version is refused. */
export const ABI = 15

export type {
  DataSchema,
  Format,
  IndexKey,
  IndexSpec,
  OperationEntry,
  PropertyDef,
  PropertyType,
  RouteSegment,
  Scope,
  TableDef,
} from './compiled.ts'
export type RenderFunction = compiled.RenderFunction<Render>
export type ValueFunction = compiled.ValueFunction<Render>
export type IncludeFunction = compiled.IncludeFunction<Render>
export type RenderBytesFunction = compiled.RenderBytesFunction<Render>
export type CallableUnit = compiled.CallableUnit<Render>
export type Setting = compiled.Setting<Render>
export type PageEntry = compiled.PageEntry<Render>
export type LayoutEntry = compiled.LayoutEntry<Render>
export type PolicyEntry = compiled.PolicyEntry<Render>
export type AssetEntry = compiled.AssetEntry
export type PartialEntry = compiled.PartialEntry<Render>
export type ValidationDef = compiled.ValidationDef<Render>
export type FieldDef = compiled.FieldDef<Render>
export type FieldGroup = compiled.FieldGroup<Render>
export type NestedGroup = compiled.NestedGroup<Render>
export type FormEntry = compiled.FormEntry<Render>
export type NotificationEntry = compiled.NotificationEntry<Render>
export type EmailEntry = compiled.EmailEntry<Render>
export type SmsEntry = compiled.SmsEntry<Render>
export type ApiCallEntry = compiled.ApiCallEntry<Render>
export type JobEntry = compiled.JobEntry<Render>
export type MigrationEntry = compiled.MigrationEntry<Render>
export type SiteOptions = compiled.SiteOptions<Render>
export type CompiledSite = compiled.CompiledSite<Render>
