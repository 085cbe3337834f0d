/** The GraphQL objects that all requests of a process share, independent of the site. */
import type { Sql } from 'postgres'
import type { Logger } from '../../core/contracts/log.ts'
import type { Observer } from '../../core/contracts/observer.ts'
import type { Primary } from '../../data/store/primary.ts'
import type { Replica } from '../../data/store/replica.ts'
import { createTokenCheck, type TokenCheck } from '../../data/store/tokens.ts'
import { type AccountTokens, createAccountTokens } from './accounts/account-tokens.ts'
import { type Constants, openConstants } from './values/constants.ts'
import { createSeal, type Seal } from './values/secrets.ts'
import { createStatements, type Databases, type Statements } from './database/statements.ts'
import { openTranslations, type Translations } from './values/translations.ts'

export interface GraphqlProcess {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
  readonly translations: Translations
  readonly seal: Seal
  readonly tokens: TokenCheck
  readonly accountTokens: AccountTokens
  /** Null when nothing is observed. */
  readonly observer: Observer | null
  readonly logger: Logger
  close(): Promise<void>
}

export interface GraphqlProcessOptions {
  readonly sql: Sql
  readonly replica: Replica | null
  readonly primary?: Primary
  /** The installation's secret (`readSecret`): seals constants and signs tokens. */
  readonly secret: string
  /** The value of `INGOT_API_TOKEN`. */
  readonly apiToken: string | null
  readonly logger: Logger
  /** Absent or null when nothing is observed. */
  readonly observer?: Observer | null
}

/**
 * Opens the shared objects.
 * @throws the database client's errors
 */
export async function openGraphql(options: GraphqlProcessOptions): Promise<GraphqlProcess> {
  const { sql, replica, primary, logger, observer = null } = options
  const databases = { sql, replica, ...(primary !== undefined && { primary }) }
  const seal = createSeal(options.secret)
  const constants = await openConstants(sql, seal, logger)
  const translations = await openTranslations(sql, logger)
  return {
    databases,
    observer,
    logger,
    statements: createStatements(databases, logger, observer?.measures ?? null),
    constants,
    translations,
    seal,
    tokens: createTokenCheck(sql, options.apiToken),
    accountTokens: createAccountTokens(options.secret),
    async close() {
      await Promise.all([constants.close(), translations.close()])
    },
  }
}
