/** Lists of deployed policies, layouts, queries, forms and notifications, as plain items for `admin_*` queries. */
import type { PropertyDef, TableDef } from '../../../../runtime/page/compiled.ts'
import type { SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import type {
  ApiCallNotification,
  EmailNotification,
  Form,
  GraphQuery,
  LiquidLayout,
  SmsNotification,
  UserProfileSchema,
} from '../../../../runtime/data/query/schema.generated.ts'
import type {
  ApiCallEntry,
  CompiledSite,
  EmailEntry,
  FormEntry,
  NotificationEntry,
  Setting,
  SmsEntry,
} from '../../../../runtime/page/site.ts'
import { writtenSetting } from './written-setting.ts'

/** The dependencies for building the items. */
export interface DeployedDependencies {
  readonly site: Pick<CompiledSite, 'layouts' | 'operations' | 'forms' | 'emails' | 'smses' | 'apiCalls' | 'data'>
  /** Returns the text of a file of the site, or null when the build lacks it. */
  source(file: string): string | null
  /** Returns the body of a template after its front matter. */
  body(file: string): string | null
  /** Returns the fields that all items of files share: id and times. */
  fileItem(file: string): SiteItem
  metadata(setting: Setting): () => unknown
  policy(name: string): readonly SiteItem[]
  properties(
    properties: readonly PropertyDef[],
    targetId: string,
    targetType: string,
    file: SiteItem,
  ): readonly SiteItem[]
}

/** The fields of a schema type, plus fields that only filters use. */
export type ItemOf<Type, More extends string = never> = { readonly [Name in keyof Type | More]?: unknown }

export function layoutItems({ site, body, fileItem, metadata }: DeployedDependencies): readonly SiteItem[] {
  // A layout can have several names. Of entries with the same file, the map keeps the last one. Both lists are reversed, so that it keeps
  // the first one, which has the layout's own name.
  const byFile = new Map(
    Object.values(site.layouts)
      .toReversed()
      .map((layout) => [layout.file, layout]),
  )
  return [...byFile.values()].toReversed().map((layout) => ({
    ...fileItem(layout.file),
    ...({
      path: layout.name,
      body: () => body(layout.file),
      format: formatFromName(layout.file),
      metadata: metadata(layout.metadata),
    } satisfies ItemOf<LiquidLayout>),
  }))
}

const FORMATS: ReadonlySet<string> = new Set(['html', 'json', 'xml', 'csv', 'rss', 'css', 'js', 'txt', 'pdf', 'md'])

/** Returns the format in a file name. */
function formatFromName(file: string): string {
  const formatName = /\.([a-z]+)\.liquid$/.exec(file)?.[1] ?? 'html'
  return FORMATS.has(formatName) ? formatName : 'html'
}

export function operationItems({ site, fileItem }: DeployedDependencies): readonly SiteItem[] {
  return Object.entries(site.operations).map(([name, { file, document }]) => ({
    ...fileItem(file),
    ...({ name, query_string: document, metadata: {} } satisfies ItemOf<GraphQuery>),
  }))
}

/** Returns the names of a table or profile type, and its properties under both of their field names. */
export function schemaItem({ name, metadata = {} }: TableDef, properties: readonly SiteItem[]): SiteItem {
  return {
    name,
    parameterized_name: name.replace(/\W+/g, '_').toLowerCase(),
    properties,
    fields: properties,
    metadata,
  } satisfies ItemOf<UserProfileSchema>
}

export function profileSchemaItems({
  site,
  fileItem,
  properties: propertyItems,
}: DeployedDependencies): readonly SiteItem[] {
  return site.data.profiles.map((profile) => {
    const fileFields = fileItem(profile.file)
    const properties = propertyItems(profile.properties, String(fileFields['id']), 'UserProfileSchema', fileFields)
    return { ...fileFields, ...schemaItem(profile, properties) }
  })
}

/** Builds the items of forms and notifications, which refer to each other. */
export class FormAndNotificationItems {
  readonly #dependencies: DeployedDependencies

  constructor(dependencies: DeployedDependencies) {
    this.#dependencies = dependencies
  }

  forms(): readonly SiteItem[] {
    return Object.values(this.#dependencies.site.forms).map((form) => this.#form(form))
  }

  emails(): readonly SiteItem[] {
    return Object.values(this.#dependencies.site.emails).map((email) => this.#email(email))
  }

  smses(): readonly SiteItem[] {
    return Object.values(this.#dependencies.site.smses).map((sms) => this.#sms(sms))
  }

  apiCalls(): readonly SiteItem[] {
    return Object.values(this.#dependencies.site.apiCalls).map((call) => this.#apiCall(call))
  }

  #form(form: FormEntry): SiteItem {
    const { fileItem, metadata, body, policy, site } = this.#dependencies
    const writtenText = this.#writtenTextReader(form.file)
    const { asyncCallback } = form
    const findEntries = <E>(names: readonly string[], entries: Readonly<Record<string, E>>): readonly E[] =>
      names.flatMap((name) => {
        const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
        return entry === undefined ? [] : [entry]
      })
    const fields = describeFields(form.fields)
    return {
      ...fileItem(form.file),
      ...({
        name: form.name,
        resource: form.resourceName,
        resource_owner: form.owner,
        fields,
        configuration: fields,
        liquid_body: () => body(form.file),
        redirect_to: writtenText('redirect_to', form.redirectTo),
        flash_notice: writtenText('flash_notice', form.flashNotice),
        flash_alert: writtenText('flash_alert', form.flashAlert),
        default_payload: writtenText('default_payload', form.defaultPayload),
        callback_actions: writtenText('callback_actions', form.callbackActions),
        async_callback_actions: writtenText('async_callback_actions', asyncCallback?.content ?? null),
        async_callback_delay: asyncCallback === null ? null : String(asyncCallback.delay),
        async_callback_max_attempts: asyncCallback?.maxAttempts ?? null,
        async_callback_priority: asyncCallback?.priority ?? null,
        response_headers: writtenText('response_headers', form.responseHeaders),
        spam_protection: form.spamProtection === null ? null : { ...form.spamProtection },
        authorization_policies: () => form.policies.flatMap(policy),
        email_notifications: () => findEntries(form.notifications.emails, site.emails).map((each) => this.#email(each)),
        sms_notifications: () => findEntries(form.notifications.sms, site.smses).map((each) => this.#sms(each)),
        api_call_notifications: () =>
          findEntries(form.notifications.apiCalls, site.apiCalls).map((each) => this.#apiCall(each)),
        metadata: metadata(form.metadata),
      } satisfies ItemOf<Form>),
    }
  }

  #email(email: EmailEntry): SiteItem {
    const readWrittenText = this.#writtenTextReader(email.file)
    const layout =
      typeof email.layout === 'string'
        ? email.layout
        : (readWrittenText('layout_path', email.layout) ?? readWrittenText('layout', email.layout))
    return {
      ...this.#notification(email, 'emails'),
      ...({
        from: readWrittenText('from', email.from),
        subject: readWrittenText('subject', email.subject),
        reply_to: readWrittenText('reply_to', email.replyTo),
        cc: readWrittenText('cc', email.cc),
        bcc: readWrittenText('bcc', email.bcc),
        attachments: readWrittenText('attachments', email.attachments),
        layout,
        layout_path: layout,
      } satisfies ItemOf<EmailNotification>),
    }
  }

  #sms(sms: SmsEntry): SiteItem {
    const content = this.#writtenTextReader(sms.file)('content', sms.content)
    return {
      ...this.#notification(sms, 'sms'),
      ...(content !== null && ({ content } satisfies ItemOf<SmsNotification>)),
    }
  }

  #apiCall(call: ApiCallEntry): SiteItem {
    const readWrittenText = this.#writtenTextReader(call.file)
    return {
      ...this.#notification(call, 'apiCalls'),
      ...({
        callback: readWrittenText('callback', call.callback),
        headers:
          readWrittenText('request_headers', call.requestHeaders) ?? readWrittenText('headers', call.requestHeaders),
        request_type: readWrittenText('request_type', call.requestType) ?? 'GET',
      } satisfies ItemOf<ApiCallNotification>),
    }
  }

  #notification(entry: NotificationEntry, kind: keyof FormEntry['notifications']): SiteItem {
    const { fileItem, metadata, body, site } = this.#dependencies
    const readWrittenText = this.#writtenTextReader(entry.file)
    const delay = readWrittenText('delay', entry.delay)
    return {
      ...fileItem(entry.file),
      name: entry.name,
      content: () => body(entry.file),
      to: readWrittenText('to', entry.to) ?? '',
      delay,
      delay_by: delay,
      trigger_condition: readWrittenText('trigger_condition', entry.triggerCondition),
      forms: () =>
        Object.values(site.forms)
          .filter(({ notifications }) => notifications[kind].includes(entry.name))
          .map((form) => this.#form(form)),
      metadata: metadata(entry.metadata),
    }
  }

  #writtenTextReader(file: string): (key: string, setting: Setting | null) => string | null {
    let text: string | null | undefined
    return (key, setting) => {
      if (setting === null) return null
      if (setting.kind === 'plain') return settingText(setting.value)
      text ??= this.#dependencies.source(file)
      return text === null || text === undefined ? null : writtenSetting(text, key)
    }
  }
}

function settingText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns the fields of a form by group, each with the kinds of its validations. */
function describeFields(group: FormEntry['fields']): Readonly<Record<string, unknown>> {
  const describeList = (fields: FormEntry['fields']['properties']) =>
    Object.fromEntries(
      fields.map(({ name, validations }) => [name, { validation: validations.map(({ kind }) => kind) }]),
    )
  return {
    ...describeList(group.attributes),
    ...(group.properties.length > 0 && { properties: describeList(group.properties) }),
    ...Object.fromEntries(
      [...new Set(group.nested.map(({ kind }) => kind))].map((kind) => [
        kind,
        Object.fromEntries(
          group.nested.filter((each) => each.kind === kind).map(({ name, fields }) => [name, describeFields(fields)]),
        ),
      ]),
    ),
  }
}
