/** `admin_third_party_integrations`: external services that are set up for the installation. The list is always empty. */
import { pageOfItems } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'
import { absent } from '../sdl/absent.ts'

export const admin_third_party_integrations: SiteField = {
  kind: 'site',
  name: 'admin_third_party_integrations',
  sdl: 'admin_third_party_integrations(filter: ThirdPartyIntegrationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [ThirdPartyIntegrationsSortInput!]): ThirdPartyIntegrationCollection! @public',
  types: absent,
  value: async (args) => pageOfItems([], args),
}
