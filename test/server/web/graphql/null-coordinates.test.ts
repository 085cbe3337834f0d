/** `reject_null_geojson_coordinates`: whether a point may have null coordinates, in queries and forms of a compiled site. */
import { expect, test } from 'vitest'
import { fitsField } from '../../../../runtime/data/forms/cast.ts'
import { storedText } from '../../../../runtime/data/query/writes/stored-values.ts'
import { liquidSite } from '../../../support/server/liquid-site.ts'

const FILES = {
  'app/schema/shop.yml': 'name: shop\nproperties:\n  - name: place\n    type: geojson\n  - name: title\n',
  'app/forms/shop.liquid':
    '---\nname: shop_form\nresource: shop\nfields:\n  properties:\n    place:\n    title:\n---\n',
}
const NOWHERE = { type: 'Point', coordinates: null }

test.each([
  ['', true],
  ['reject_null_geojson_coordinates: false\n', true],
  ['reject_null_geojson_coordinates: true\n', false],
])('with the setting %j such a point is taken: %s', async (config, taken) => {
  const built = await liquidSite({ ...FILES, ...(config !== '' && { 'app/config.yml': config }) })
  const { data, forms } = built.loaded.site
  built.close()
  const [place, title] = data.tables[0]?.properties ?? []
  const field = forms['shop_form']?.fields.properties.find(({ name }) => name === 'place')
  if (place === undefined || field === undefined) throw new Error('the site has no such property')
  expect(fitsField(field, NOWHERE)).toBe(taken)
  if (taken) expect(JSON.parse(storedText(place, NOWHERE))).toEqual(NOWHERE)
  else expect(() => storedText(place, NOWHERE)).toThrow('Property `place`')
  expect(title).not.toHaveProperty('located')
})
