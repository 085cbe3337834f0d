/** The fixture of the tests of writes: a fresh database, a small site, and operations that run as on the server. */
import type { Sql } from 'postgres'
import type { DataSchema, PropertyDef, PropertyType } from '../../../../../runtime/page/compiled.ts'
import type { ExecutionResult } from '../../../../../runtime/data/query/host.ts'
import { createCatalog, execute, type Plan, planOperation } from '../../../../../runtime/data/query/index.ts'
import type { BuildOptions } from '../../../../../runtime/data/query/model.ts'
import type { SiteFacts } from '../../../../../runtime/data/query/site-facts.ts'
import { createAccounts } from '../../../../../server/web/accounts/accounts.ts'
import { hashPassword, verifyPassword } from '../../../../../server/web/accounts/passwords.ts'
import { createAccountTokens } from '../../../../../server/web/graphql/accounts/account-tokens.ts'
import { openConstants } from '../../../../../server/web/graphql/values/constants.ts'
import { createHost } from '../../../../../server/web/graphql/host/host.ts'
import { createSeal } from '../../../../../server/web/graphql/values/secrets.ts'
import { createStatements, type Statements } from '../../../../../server/web/graphql/database/statements.ts'
import { RequestDatabase } from '../../../../../server/web/graphql/database/request-database.ts'
import type { Session } from '../../../../../server/web/site/session.ts'
import { createLogger } from '../../../../../server/core/services/log.ts'
import { newMeter } from '../../../../../server/core/contracts/meter.ts'
import { applyData, testDatabase } from '../../../../support/database.ts'
import { request } from '../../../../support/server/site.ts'

export interface WriteFixture {
  readonly sql: Sql
  run(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    how?: Partial<BuildOptions> & { readonly viewer?: string | null; readonly session?: Session | null },
  ): Promise<ExecutionResult>
  /** Opens the session of a visitor who requests a page with these cookies. */
  session(cookies?: readonly string[]): Promise<Session>
  /** The last statements that were sent to the database, with their parameters. */
  sent(): readonly unknown[]
  /** The number of statements so far. */
  statements(): number
  /** Returns the rows of a table that are not deleted. */
  count(table: string): Promise<number>
  /** Empties all tables. */
  clear(): Promise<void>
  /** Returns the plain values of constants, as templates see them. */
  constants(): Readonly<Record<string, string>>
  close(): Promise<void>
}

function properties(
  types: Readonly<Record<string, PropertyType>>,
  defaults: Readonly<Record<string, unknown>> = {},
): PropertyDef[] {
  return Object.entries(types).map(([name, type]) => ({
    name,
    type,
    default: defaults[name] ?? null,
    belongsTo: null,
    options: null,
  }))
}

const WIDE = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`p${index}`, 'string' as const]))

export const DATA: DataSchema = {
  tables: [
    {
      name: 'post',
      file: 'schema/post.yml',
      properties: properties(
        {
          title: 'string',
          views: 'integer',
          amount: 'integer',
          score: 'float',
          price: 'decimal',
          live: 'boolean',
          at: 'datetime',
          tags: 'array',
          place: 'geojson',
          cover: 'upload',
          state: 'string',
        },
        { state: 'draft' },
      ),
    },
    { name: 'note', file: 'schema/note.yml', properties: properties({ body: 'string', amount: 'string' }) },
    {
      name: 'odd',
      file: 'schema/odd.yml',
      properties: properties({ 'it\'s a "name" \\ --': 'string', 'a/b': 'string' }),
    },
    { name: 'wide', file: 'schema/wide.yml', properties: properties(WIDE) },
  ],
  user: properties({ roles: 'array', logins: 'integer', motto: 'string' }),
  profiles: [
    { name: 'seller', file: 'user_profiles/seller.yml', properties: properties({ rating: 'float', shops: 'array' }) },
  ],
}

const NO_SITE: SiteFacts = {
  pages: async () => [],
  partials: async () => [],
  assets: async () => [],
  tables: async () => [],
  policies: async () => [],
  layouts: async () => [],
  operations: async () => [],
  profileSchemas: async () => [],
  formsAndNotifications: async () => [],
  userSchema: () => [],
  translations: async () => [],
  instance: () => ({}),
}

export async function openWriteFixture(data: DataSchema = DATA): Promise<WriteFixture> {
  const database = await testDatabase()
  const { sql } = database
  const catalog = createCatalog(data, await applyData(sql, data))
  const logger = createLogger('silent', false)
  const databases = { sql, replica: null }
  const seal = createSeal('the secret of the tests')
  const constants = await openConstants(sql, seal, logger)
  const real = createStatements(databases, logger)
  const sent: unknown[] = []
  const statements: Statements = {
    toFailure: (...given) => real.toFailure(...given),
    run(statement, options) {
      sent.push([statement.text, statement.values])
      if (sent.length > 20) sent.shift()
      return real.run(statement, options)
    },
  }
  const meter = newMeter()
  const sessions = createAccounts({ statements, secret: 'the secret of the tests' })
  const open = sessions.sessions({ sameSite: 'Lax' })
  const accounts = {
    accounts: { hashPassword, verifyPassword, signInByPassword: sessions.signInByPassword },
    tokens: createAccountTokens('the secret of the tests'),
    issuer: 'Shop',
  }
  // Plans are cached, as on the server, so a test may reuse a statement that was created for other values.
  const plans = new Map<string, Plan>()
  const planOf = (document: string): Plan => {
    const plan = plans.get(document) ?? planOperation(document)
    plans.set(document, plan)
    return plan
  }
  return {
    sql,
    async run(document, variables = {}, { viewer = null, session = null, requireTableForDelete = false } = {}) {
      const options = { requireTableForDelete }
      const parts = { databases, statements, constants, seal, catalog, options, site: NO_SITE, ...accounts }
      const work = new RequestDatabase(parts, meter, null)
      return execute(planOf(document), variables, createHost(parts, { viewer, session, database: work, effects: null }))
    },
    session: async (cookies = []) =>
      open(request('/', { headers: { cookie: cookies.map((each) => each.split(';')[0]).join('; ') } }), {}),
    sent: () => sent,
    statements: () => meter.statements,
    async count(table) {
      const rows = await sql`select count(*)::text as n from ingot.records
        where table_id = ${catalog.tableId(table) ?? 0} and deleted_at is null`
      return Number(rows[0]!['n'])
    },
    async clear() {
      for (const table of [
        'records',
        'profiles',
        'users',
        'constants',
        'feed_entries',
        'feed_reads',
        'activities',
        'attempts',
      ]) {
        await sql.unsafe(`delete from ingot.${table}`)
      }
    },
    constants: () => constants.all(),
    async close() {
      await constants.close()
      await database.close()
    },
  }
}
