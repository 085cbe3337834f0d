/**
 * Tags and filters of other Liquid implementations, with their purpose and the replacement to suggest. They are looked up only for
 * names that the dialect does not have.
 */

export interface ForeignName {
  /** The implementation that has the name, for use after "of": `Shopify themes`. */
  readonly origin: string
  /** The purpose of the tag or filter, for use after "it": `prints a link`. */
  readonly purpose: string
  /** The replacement in each dialect, as a sentence; empty if there is none. */
  readonly replacement: { readonly liquid: string; readonly platform: string }
  /** Set if the tag has a body that is not Liquid. */
  readonly hasForeignBody?: true
}

const CUSTOM = 'Add it as a custom filter with the option `filters` of `createEngine`.'

function namesOf(origin: string) {
  // A site cannot have custom filters.
  return (purpose: string, liquid: string, platform: string = liquid === CUSTOM ? '' : liquid): ForeignName => ({
    origin,
    purpose,
    replacement: { liquid, platform },
  })
}

const theme = namesOf('Shopify themes')
const liquidjs = namesOf('liquidjs')
const jekyll = namesOf('Jekyll')
const liquidjsAndJekyll = namesOf('liquidjs and Jekyll')

const VALUE = 'Pass the text in the data.'
const ADDRESS = 'Write the URL, or pass it in the data.'
const HTML = 'Write the HTML, or render a partial that contains it.'
const LAYOUT =
  "Store each part with `capture`, and pass the parts to the layout file: `{% render 'base', content: content %}`."

const TAGS: Readonly<Record<string, ForeignName>> = {
  section: theme('prints a section of the theme', "Write `{% render '…' %}` with the name of the file."),
  sections: theme('prints a group of sections', "Write `{% render '…' %}` for each section."),
  schema: {
    ...theme('contains the settings of a section for the theme editor, and prints nothing', 'Remove it.'),
    hasForeignBody: true,
  },
  stylesheet: { ...theme('contains the CSS of a section', 'Move it to a CSS file.'), hasForeignBody: true },
  javascript: {
    ...theme('contains the JavaScript of a section', 'Move it to a JavaScript file.'),
    hasForeignBody: true,
  },
  style: theme('prints its body in a `<style>` element', 'Write `<style>…</style>`.'),
  paginate: theme(
    'splits the array of a `for` loop into pages',
    'Pass one page in the data, or select it with `limit` and `offset` of `for`.',
    'Load one page with `page` and `per_page` of the query.',
  ),
  form: theme('prints a form of the shop', 'Write `<form>…</form>`.'),
  content_for: theme(
    'prints the blocks that were added in the theme editor',
    "Write `{% render '…' %}` for each block.",
  ),
  layout: namesOf('Shopify themes and liquidjs')(
    'sets the layout of the file',
    LAYOUT,
    'Set `layout:` in the front matter of the page.',
  ),
  block: liquidjs(
    'is a part of a layout that other files can replace',
    LAYOUT,
    'Print it with `{% yield %}` in the layout, and set it with `{% content_for %}` in the page.',
  ),
  highlight: jekyll('prints code with syntax highlighting', 'Write `<pre><code>` around `{% raw %}…{% endraw %}`.'),
  link: jekyll('prints the URL of a file', ADDRESS),
  post_url: jekyll('prints the URL of a post', ADDRESS),
  include_relative: jekyll(
    'prints a file from the same folder',
    "Write `{% include '…' %}` with the name of the file.",
  ),
  include_cached: jekyll('prints a file and caches its output', "Write `{% include '…' %}`."),
  seo: jekyll('prints metadata for search engines (jekyll-seo-tag)', HTML),
  feed_meta: jekyll('prints a link to the feed (jekyll-feed)', HTML),
}

const FILTERS: Readonly<Record<string, ForeignName>> = {
  // Shopify: money and postal addresses
  money: theme('formats an amount of money', CUSTOM, 'Write `pricify_cents`.'),
  money_with_currency: theme('formats an amount with its currency', CUSTOM, 'Write `pricify_cents`.'),
  money_without_currency: theme('formats an amount without its currency', CUSTOM),
  money_without_trailing_zeros: theme('formats an amount without `.00`', CUSTOM),
  unit_price_with_measurement: theme('formats a price per unit', CUSTOM),
  weight_with_unit: theme('formats a weight with its unit', CUSTOM),
  format_address: theme('formats a postal address', HTML),
  // Shopify: URLs of files
  asset_url: theme('returns the URL of a file in the theme', ADDRESS),
  asset_img_url: theme('returns the URL of an image in the theme', ADDRESS, 'Write `asset_url`.'),
  file_url: theme('returns the URL of an uploaded file', ADDRESS),
  file_img_url: theme('returns the URL of an uploaded image', ADDRESS),
  global_asset_url: theme('returns the URL of a file that all shops have', ADDRESS),
  shopify_asset_url: theme('returns the URL of a file that all shops have', ADDRESS),
  image_url: theme('returns the URL of an image in a given size', ADDRESS),
  img_url: theme('returns the URL of an image in a given size', ADDRESS),
  product_img_url: theme('returns the URL of an image of a product', ADDRESS),
  collection_img_url: theme('returns the URL of an image of a collection', ADDRESS),
  article_img_url: theme('returns the URL of an image of an article', ADDRESS),
  payment_type_img_url: theme('returns the URL of the icon of a payment method', ADDRESS),
  url_for_type: theme('returns the URL of a product type', ADDRESS),
  url_for_vendor: theme('returns the URL of a vendor', ADDRESS),
  within: theme('returns the URL of a product in a collection', ADDRESS),
  external_video_url: theme('returns the URL of an external video', ADDRESS),
  font_url: theme('returns the URL of a font', ADDRESS),
  // Shopify: elements
  avatar: theme('prints the profile picture of a customer', HTML),
  customer_login_link: theme('prints a link to the login page', HTML),
  customer_logout_link: theme('prints a link that logs out', HTML),
  customer_register_link: theme('prints a link to the sign-up page', HTML),
  default_errors: theme('prints the errors of a form', HTML),
  default_pagination: theme('prints pagination links', HTML),
  external_video_tag: theme('prints an external video', HTML),
  font_face: theme('prints an `@font-face` rule', 'Write the CSS.'),
  highlight: theme('highlights search terms', CUSTOM),
  highlight_active_tag: theme('highlights the active filter tag', HTML),
  image_tag: theme('prints an `<img>`', HTML),
  img_tag: theme('prints an `<img>`', HTML),
  inline_asset_content: theme('prints a file of the theme', "Write `{% render '…' %}` with the name of the file."),
  line_items_for: theme('returns the cart items of a product', 'Select them with `where`.'),
  link_to: theme('prints a link', HTML),
  link_to_add_tag: theme('prints a link that adds a tag to the filter', HTML),
  link_to_remove_tag: theme('prints a link that removes a tag from the filter', HTML),
  link_to_tag: theme('prints a link to the products with a tag', HTML),
  link_to_type: theme('prints a link to a product type', HTML),
  link_to_vendor: theme('prints a link to a vendor', HTML),
  login_button: theme('prints a login button', HTML),
  media_tag: theme('prints a media element', HTML),
  metafield_tag: theme('prints an element for a metafield', HTML),
  metafield_text: theme('returns a metafield as text', VALUE),
  model_viewer_tag: theme('prints a 3D model', HTML),
  payment_button: theme('prints a payment button', HTML),
  payment_terms: theme('prints the terms of payment', HTML),
  payment_type_svg_tag: theme('prints the icon of a payment method', HTML),
  placeholder_svg_tag: theme('prints a placeholder image', HTML),
  preload_tag: theme('prints a `<link rel="preload">`', HTML),
  script_tag: theme('prints a `<script>`', HTML),
  stylesheet_tag: theme('prints a `<link rel="stylesheet">`', HTML),
  structured_data: theme('returns an object as structured data for search engines', CUSTOM),
  time_tag: theme('prints a `<time>`', HTML),
  video_tag: theme('prints a `<video>`', HTML),
  // Shopify: values
  camelize: theme('converts text to CamelCase', CUSTOM),
  class_list: theme('returns the CSS classes of settings', VALUE),
  font_modify: theme('returns a font with changed weight or style', VALUE),
  handle: theme('converts text for use in URLs', CUSTOM, 'Write `slugify`.'),
  handleize: theme('converts text for use in URLs', CUSTOM, 'Write `slugify`.'),
  item_count_for_variant: theme(
    'returns the quantity of a variant in the cart',
    'Select the items with `where`, and add up the quantities with `sum`.',
  ),
  md5: theme('returns a hash of a text', CUSTOM, "Write `digest: 'md5'`."),
  pluralize: theme('returns the singular or plural form of a word', 'Write `{% if … == 1 %}`.'),
  sha1: theme('returns a hash of a text', CUSTOM),
  hmac_sha1: theme('signs a text', CUSTOM, 'Write `compute_hmac`.'),
  sort_by: theme('returns the URL of a sorted collection', ADDRESS),
  t: theme('returns a translation', CUSTOM),
  translate: theme('returns a translation', CUSTOM),
  ...Object.fromEntries(
    ['to_rgb', 'to_hsl', 'to_hex', 'to_oklch', 'extract', 'brightness', 'modify', 'lighten', 'darken', 'saturate']
      .concat(['desaturate', 'mix', 'contrast', 'difference'])
      .map((name) => [`color_${name}`, theme('computes a color', 'Write the color, or compute it in CSS.')]),
  ),
  brightness_difference: theme('compares colors', 'Write the color, or compute it in CSS.'),
  // liquidjs and Jekyll
  array_to_sentence_string: liquidjsAndJekyll(
    'joins words with commas and `and`',
    'Write `join`, which adds no `and`.',
  ),
  cgi_escape: liquidjsAndJekyll('encodes text for URLs', 'Write `url_encode`.'),
  date_to_long_string: liquidjsAndJekyll('formats a date with the name of the month', "Write `date: '%d %B %Y'`."),
  date_to_rfc822: liquidjsAndJekyll('formats a date for feeds', "Write `date: '%a, %d %b %Y %H:%M:%S %z'`."),
  date_to_string: liquidjsAndJekyll('formats a date', "Write `date: '%d %b %Y'`."),
  date_to_xmlschema: liquidjsAndJekyll('formats a date as ISO 8601', "Write `date: '%Y-%m-%dT%H:%M:%S%:z'`."),
  find_exp: liquidjsAndJekyll(
    'finds an element by a condition',
    'Write `find`, or a `for` with an `if` and a `break`.',
  ),
  find_index_exp: liquidjs(
    'finds the index of an element by a condition',
    'Write `find_index`, or a `for` with an `if`.',
  ),
  group_by: liquidjsAndJekyll('groups elements by a key', CUSTOM),
  group_by_exp: liquidjsAndJekyll('groups elements by an expression', CUSTOM, 'Write `group_by` for a key.'),
  has_exp: liquidjs('checks for an element by a condition', 'Write `has`, or a `for` with an `if`.'),
  hmac_sha256: namesOf('Shopify themes and liquidjs')('signs a text', CUSTOM, 'Write `compute_hmac`.'),
  inspect: liquidjsAndJekyll('prints a value for debugging', CUSTOM, 'Write `json`.'),
  json: namesOf('Shopify themes and liquidjs')('prints a value as JSON', CUSTOM),
  jsonify: liquidjsAndJekyll('prints a value as JSON', CUSTOM, 'Write `json`.'),
  normalize_whitespace: liquidjsAndJekyll(
    'replaces white space with a single space',
    'Write `squish`.',
    "Write `replace_regex: '\\s+', ' '`.",
  ),
  number_of_words: liquidjsAndJekyll('counts words', "Write `split: ' ' | size`."),
  pop: liquidjsAndJekyll(
    'removes the last element',
    'Select the other elements with `limit` of `for`.',
    'Write `array_delete_at: -1`.',
  ),
  push: liquidjsAndJekyll('adds an element', 'Add an array with `concat`.', 'Write `array_add`.'),
  raw: liquidjs(
    'prints a value without escaping',
    'Remove it: base Liquid does not escape.',
    'Write `html_safe: raw_text: true`.',
  ),
  reject_exp: liquidjs('removes elements by a condition', 'Write `reject`, or a `for` with an `unless`.'),
  sample: liquidjsAndJekyll('returns random elements', CUSTOM, 'Write `array_shuffle | first`.'),
  sha256: namesOf('Shopify themes and liquidjs')('returns a hash of a text', CUSTOM, "Write `digest: 'sha256'`."),
  shift: liquidjsAndJekyll(
    'removes the first element',
    'Select the other elements with `offset: 1` of `for`.',
    'Write `array_delete_at: 0`.',
  ),
  slugify: liquidjsAndJekyll('converts text for use in URLs', CUSTOM),
  to_integer: liquidjsAndJekyll('converts text to a number', 'Write `plus: 0`.'),
  unshift: liquidjsAndJekyll(
    'adds an element at the beginning',
    'Apply `concat` to an array that contains only the element.',
    'Write `array_prepend`.',
  ),
  uri_escape: liquidjsAndJekyll('encodes a URL', CUSTOM),
  where_exp: liquidjsAndJekyll('selects elements by a condition', 'Write `where`, or a `for` with an `if`.'),
  xml_escape: liquidjsAndJekyll('escapes a text', 'Write `escape`.'),
  // Jekyll
  absolute_url: jekyll('prepends the URL of the site', 'Write `prepend` with a URL from the data.'),
  markdownify: jekyll('converts Markdown to HTML', CUSTOM),
  relative_url: jekyll('prepends the base path of the site', 'Write `prepend` with a path from the data.'),
  sassify: jekyll('converts Sass to CSS', 'Convert it to a CSS file beforehand.'),
  scssify: jekyll('converts SCSS to CSS', 'Convert it to a CSS file beforehand.'),
  smartify: jekyll('converts quotes to typographic quotes', CUSTOM),
  strip_index: jekyll('removes `index.html` from a URL', "Write `replace: 'index.html', ''`."),
}

/** Returns the tag of another Liquid implementation; null if none has it. */
export function findForeignTag(name: string): ForeignName | null {
  return Object.hasOwn(TAGS, name) ? (TAGS[name] ?? null) : null
}

/** Returns the filter of another Liquid implementation; null if none has it. */
export function findForeignFilter(name: string): ForeignName | null {
  return Object.hasOwn(FILTERS, name) ? (FILTERS[name] ?? null) : null
}

/** All known foreign names, for the reference. @internal Exported for tests. */
export const FOREIGN_NAMES = { tags: Object.keys(TAGS), filters: Object.keys(FILTERS) } as const

/** Returns the hint for a foreign name: `` `money` is a filter of Shopify themes: it … `` */
export function formatForeignHint(
  name: string,
  kind: 'tag' | 'filter',
  foreignName: ForeignName,
  dialect: keyof ForeignName['replacement'],
): string {
  return `\`${name}\` is a ${kind} of ${foreignName.origin}: it ${foreignName.purpose}. ${foreignName.replacement[dialect]}`.trimEnd()
}
