/**
 * Tags and filters of other Liquids, by name: what each is where it comes from, and what to write instead. A name is looked up only where the
 * dialect lacks it, so that a hint never speaks of what is there.
 */

export interface Elsewhere {
  /** Where it comes from, behind "of": `Shopify themes`. */
  readonly of: string
  /** What it does there, behind "it". */
  readonly does: string
  /** A sentence for each dialect; empty where nothing stands for it. */
  readonly instead: { readonly liquid: string; readonly platform: string }
  /** The tag has a body that is no Liquid. */
  readonly holdsOther?: true
}

const OWN = 'The library takes it as a filter of your own: `filters` of `createEngine`.'

function from(of: string) {
  // A site has no filters of its own.
  return (does: string, liquid: string, platform: string = liquid === OWN ? '' : liquid): Elsewhere => ({
    of,
    does,
    instead: { liquid, platform },
  })
}

const theme = from('Shopify themes')
const liquidjs = from('liquidjs')
const jekyll = from('Jekyll')
const both = from('liquidjs and Jekyll')

const VALUE = 'Give the text in the data.'
const ADDRESS = 'Write the address, or give it in the data.'
const HTML = 'Write the HTML, or render a partial that has it.'
const CAPTURED =
  "Set each part by `capture`, and render the other file with them: `{% render 'base', content: content %}`."

const TAGS: Readonly<Record<string, Elsewhere>> = {
  section: theme('prints a section of the theme', "Write `{% render '…' %}` with the name of its file."),
  sections: theme('prints a group of sections', "Write `{% render '…' %}` for each of them."),
  schema: {
    ...theme('holds the settings of a section for the editor of themes, and prints nothing', 'Leave it out.'),
    holdsOther: true,
  },
  stylesheet: { ...theme('holds the CSS of a section', 'Put it into a file of CSS.'), holdsOther: true },
  javascript: { ...theme('holds the script of a section', 'Put it into a file of JavaScript.'), holdsOther: true },
  style: theme('prints its body in a `<style>`', 'Write `<style>…</style>`.'),
  paginate: theme(
    'splits what a `for` in it goes over into pages',
    'Give one page in the data, or take it by `limit` and `offset` of `for`.',
    'Ask the query for one page: `page` and `per_page`.',
  ),
  form: theme('prints a form that the shop takes', 'Write `<form>…</form>`.'),
  content_for: theme('prints the blocks that the editor of themes put here', "Write `{% render '…' %}` for each."),
  layout: from('Shopify themes and liquidjs')(
    'names the layout of the file',
    CAPTURED,
    'Name it by `layout:` in the front matter of the page.',
  ),
  block: liquidjs(
    'is a part of a layout, which files with that layout replace',
    CAPTURED,
    'The layout prints it by `{% yield %}`, and the page sets it by `{% content_for %}`.',
  ),
  highlight: jekyll('prints code in colours', 'Write `<pre><code>` around `{% raw %}…{% endraw %}`.'),
  link: jekyll('prints the address of a file', ADDRESS),
  post_url: jekyll('prints the address of a post', ADDRESS),
  include_relative: jekyll('prints a file that lies beside this one', "Write `{% include '…' %}` with its name."),
  include_cached: jekyll('prints a file and keeps the text', "Write `{% include '…' %}`."),
  seo: jekyll('prints elements for search engines (jekyll-seo-tag)', HTML),
  feed_meta: jekyll('prints a link to the feed (jekyll-feed)', HTML),
}

const FILTERS: Readonly<Record<string, Elsewhere>> = {
  // Shopify: money and addresses
  money: theme('prints an amount as the shop writes it', OWN, 'Write `pricify_cents`.'),
  money_with_currency: theme('prints an amount with its currency', OWN, 'Write `pricify_cents`.'),
  money_without_currency: theme('prints an amount without its currency', OWN),
  money_without_trailing_zeros: theme('prints an amount without `.00`', OWN),
  unit_price_with_measurement: theme('prints a price for each unit', OWN),
  weight_with_unit: theme('prints a weight with its unit', OWN),
  format_address: theme('prints an address of mail', HTML),
  // Shopify: addresses of files
  asset_url: theme('gives the address of a file of the theme', ADDRESS),
  asset_img_url: theme('gives the address of an image of the theme', ADDRESS, 'Write `asset_url`.'),
  file_url: theme('gives the address of an uploaded file', ADDRESS),
  file_img_url: theme('gives the address of an uploaded image', ADDRESS),
  global_asset_url: theme('gives the address of a file that all shops have', ADDRESS),
  shopify_asset_url: theme('gives the address of a file that all shops have', ADDRESS),
  image_url: theme('gives the address of an image in a size', ADDRESS),
  img_url: theme('gives the address of an image in a size', ADDRESS),
  product_img_url: theme('gives the address of an image of a product', ADDRESS),
  collection_img_url: theme('gives the address of an image of a collection', ADDRESS),
  article_img_url: theme('gives the address of an image of an article', ADDRESS),
  payment_type_img_url: theme('gives the address of the sign of a way to pay', ADDRESS),
  url_for_type: theme('gives the address of a type of products', ADDRESS),
  url_for_vendor: theme('gives the address of a vendor', ADDRESS),
  within: theme('gives the address of a product in a collection', ADDRESS),
  external_video_url: theme('gives the address of a video elsewhere', ADDRESS),
  font_url: theme('gives the address of a font', ADDRESS),
  // Shopify: elements
  avatar: theme('prints the picture of a customer', HTML),
  customer_login_link: theme('prints a link to the log-in', HTML),
  customer_logout_link: theme('prints a link that logs out', HTML),
  customer_register_link: theme('prints a link to the sign-up', HTML),
  default_errors: theme('prints the errors of a form', HTML),
  default_pagination: theme('prints links to the pages', HTML),
  external_video_tag: theme('prints a video from elsewhere', HTML),
  font_face: theme('prints a rule `@font-face`', 'Write the CSS.'),
  highlight: theme('marks the words of a search', OWN),
  highlight_active_tag: theme('marks the tag that is filtered by', HTML),
  image_tag: theme('prints an `<img>`', HTML),
  img_tag: theme('prints an `<img>`', HTML),
  inline_asset_content: theme('prints a file of the theme', "Write `{% render '…' %}` with the name of its file."),
  line_items_for: theme('gives the items of a cart for a product', 'Select them with `where`.'),
  link_to: theme('prints a link', HTML),
  link_to_add_tag: theme('prints a link that adds a tag to the filter', HTML),
  link_to_remove_tag: theme('prints a link that takes a tag from the filter', HTML),
  link_to_tag: theme('prints a link to what has a tag', HTML),
  link_to_type: theme('prints a link to a type of products', HTML),
  link_to_vendor: theme('prints a link to a vendor', HTML),
  login_button: theme('prints a button that logs in', HTML),
  media_tag: theme('prints an element for a medium', HTML),
  metafield_tag: theme('prints an element for a field of its own', HTML),
  metafield_text: theme('gives a field of its own as text', VALUE),
  model_viewer_tag: theme('prints a model in three dimensions', HTML),
  payment_button: theme('prints a button that pays', HTML),
  payment_terms: theme('prints the terms of payment', HTML),
  payment_type_svg_tag: theme('prints the sign of a way to pay', HTML),
  placeholder_svg_tag: theme('prints a picture for what is not there yet', HTML),
  preload_tag: theme('prints a `<link rel="preload">`', HTML),
  script_tag: theme('prints a `<script>`', HTML),
  stylesheet_tag: theme('prints a `<link rel="stylesheet">`', HTML),
  structured_data: theme('gives an object as data for search engines', OWN),
  time_tag: theme('prints a `<time>`', HTML),
  video_tag: theme('prints a `<video>`', HTML),
  // Shopify: values
  camelize: theme('gives a text in CamelCase', OWN),
  class_list: theme('gives the classes of settings', VALUE),
  font_modify: theme('gives another font of the family', VALUE),
  handle: theme('gives a text for addresses', OWN, 'Write `slugify`.'),
  handleize: theme('gives a text for addresses', OWN, 'Write `slugify`.'),
  item_count_for_variant: theme('counts a variant in the cart', 'Select with `where`, and count with `sum`.'),
  md5: theme('gives a digest of a text', OWN, "Write `digest: 'md5'`."),
  pluralize: theme('gives one of two words by a number', 'Write `{% if … == 1 %}`.'),
  sha1: theme('gives a digest of a text', OWN),
  hmac_sha1: theme('signs a text', OWN, 'Write `compute_hmac`.'),
  sort_by: theme('gives the address of a collection in an order', ADDRESS),
  t: theme('gives a translation', OWN),
  translate: theme('gives a translation', OWN),
  ...Object.fromEntries(
    ['to_rgb', 'to_hsl', 'to_hex', 'to_oklch', 'extract', 'brightness', 'modify', 'lighten', 'darken', 'saturate']
      .concat(['desaturate', 'mix', 'contrast', 'difference'])
      .map((name) => [`color_${name}`, theme('computes with colours', 'Write the colour, or compute it in CSS.')]),
  ),
  brightness_difference: theme('compares colours', 'Write the colour, or compute it in CSS.'),
  // liquidjs and Jekyll
  array_to_sentence_string: both('joins words by commas and `and`', 'Write `join`, which adds no `and`.'),
  cgi_escape: both('encodes a text for addresses', 'Write `url_encode`.'),
  date_to_long_string: both('prints a date with the name of its month', "Write `date: '%d %B %Y'`."),
  date_to_rfc822: both('prints a date for feeds', "Write `date: '%a, %d %b %Y %H:%M:%S %z'`."),
  date_to_string: both('prints a date', "Write `date: '%d %b %Y'`."),
  date_to_xmlschema: both('prints a date for machines', "Write `date: '%Y-%m-%dT%H:%M:%S%:z'`."),
  find_exp: both('finds an element by a condition', 'Write `find`, or a `for` with an `if` and a `break`.'),
  find_index_exp: liquidjs(
    'finds the place of an element by a condition',
    'Write `find_index`, or a `for` with an `if`.',
  ),
  group_by: both('groups elements by a key', OWN),
  group_by_exp: both('groups elements by an expression', OWN, 'Write `group_by` for a key.'),
  has_exp: liquidjs('asks for an element by a condition', 'Write `has`, or a `for` with an `if`.'),
  hmac_sha256: from('Shopify themes and liquidjs')('signs a text', OWN, 'Write `compute_hmac`.'),
  inspect: both('prints a value for whoever looks for a mistake', OWN, 'Write `json`.'),
  json: from('Shopify themes and liquidjs')('prints a value as JSON', OWN),
  jsonify: both('prints a value as JSON', OWN, 'Write `json`.'),
  normalize_whitespace: both(
    'makes one space of white space',
    'Write `squish`.',
    "Write `replace_regex: '\\s+', ' '`.",
  ),
  number_of_words: both('counts words', "Write `split: ' ' | size`."),
  pop: both('leaves out the last element', 'Take the others by `limit` of `for`.', 'Write `array_delete_at: -1`.'),
  push: both('adds an element', 'Add an array by `concat`.', 'Write `array_add`.'),
  raw: liquidjs(
    'prints a value that is not escaped',
    'Leave it out: base Liquid escapes nothing.',
    'Write `html_safe: raw_text: true`.',
  ),
  reject_exp: liquidjs('leaves out elements by a condition', 'Write `reject`, or a `for` with an `unless`.'),
  sample: both('takes elements by chance', OWN, 'Write `array_shuffle | first`.'),
  sha256: from('Shopify themes and liquidjs')('gives a digest of a text', OWN, "Write `digest: 'sha256'`."),
  shift: both(
    'leaves out the first element',
    'Take the others by `offset: 1` of `for`.',
    'Write `array_delete_at: 0`.',
  ),
  slugify: both('gives a text for addresses', OWN),
  to_integer: both('makes a number of a text', 'Write `plus: 0`.'),
  unshift: both('adds an element in front', 'Write `concat` behind an array of the element.', 'Write `array_prepend`.'),
  uri_escape: both('encodes an address', OWN),
  where_exp: both('selects elements by a condition', 'Write `where`, or a `for` with an `if`.'),
  xml_escape: both('escapes a text', 'Write `escape`.'),
  // Jekyll
  absolute_url: jekyll('puts the address of the site in front', 'Write `prepend` with an address of the data.'),
  markdownify: jekyll('makes HTML of Markdown', OWN),
  relative_url: jekyll('puts the folder of the site in front', 'Write `prepend` with a path of the data.'),
  sassify: jekyll('makes CSS of Sass', 'Make it before, into a file of CSS.'),
  scssify: jekyll('makes CSS of SCSS', 'Make it before, into a file of CSS.'),
  smartify: jekyll('makes typographic quotes', OWN),
  strip_index: jekyll('takes `index.html` from an address', "Write `replace: 'index.html', ''`."),
}

/** A tag of another Liquid; null for a name that none of them has. */
export function tagElsewhere(name: string): Elsewhere | null {
  return Object.hasOwn(TAGS, name) ? (TAGS[name] ?? null) : null
}

/** A filter of another Liquid; null for a name that none of them has. */
export function filterElsewhere(name: string): Elsewhere | null {
  return Object.hasOwn(FILTERS, name) ? (FILTERS[name] ?? null) : null
}

/** The names that are told of, for the reference. */
export const NAMES_ELSEWHERE = { tags: Object.keys(TAGS), filters: Object.keys(FILTERS) } as const

/** What is said of one in a hint: `` `money` is a filter of Shopify themes: it … `` */
export function elsewhereHint(
  name: string,
  kind: 'tag' | 'filter',
  known: Elsewhere,
  dialect: keyof Elsewhere['instead'],
): string {
  return `\`${name}\` is a ${kind} of ${known.of}: it ${known.does}. ${known.instead[dialect]}`.trimEnd()
}
