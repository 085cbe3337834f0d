/** Diagnostics about the HTML in templates. */
import { describe, expect, it } from 'vitest'
import { htmlProblem } from '../../../../compiler/phases/check/walk/html.ts'
import { type Files, problems } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'

describe('elements', () => {
  it.each<[string, string, readonly string[]]>([
    ['an image without a size', '<img src="a.png" alt="">', ['image-without-size 1:1']],
    ['an image with a size', '<img src="a.png" width="1" height="2">', []],
    ['an image whose attributes are computed', `<img src="a.png" {{ context.language }}>`, []],
    [
      'an image with a size on some ways',
      '<img src="a.png" {% if context.params.x %}width="1" height="1"{% endif %}>',
      [],
    ],
    [
      'an image inside of a condition',
      '<div>{% if context.params.x %}<img src="{{ context.params.s }}">{% endif %}</div>',
      ['image-without-size 1:31'],
    ],
    ['an image in a comment', '<!-- <img src="a.png"> -->', []],
    [
      'an image in a captured text',
      '{% capture x %}<img src="a.png">{% endcapture %}{% print x %}',
      ['image-without-size 1:16'],
    ],
    ['an image in a text of a script', `<script>var x = '<img src="a.png">'</script>`, []],
    ['a script that blocks', '<script src="/assets/a.js"></script>', ['parser-blocking-script 1:1']],
    [
      'a script that does not',
      '<script src="/assets/a.js" defer></script><script type="module" src="x"></script><script async src=x></script>',
      [],
    ],
    ['a script without a source', '<script>let a = 1 < 2</script>', []],
  ])('%s', (_name, page, expected) => {
    expect(problems(page)).toEqual(expected)
  })
})

describe('balance', () => {
  it.each<[string, string, readonly string[]]>([
    ['opened on one way', '{% if context.params.a %}<div>{% endif %}', ['unclosed-html 1:26']],
    [
      'opened and closed under the same condition',
      '{% if context.params.a %}<div>{% endif %}x{% if context.params.a %}</div>{% endif %}',
      [],
    ],
    ['opened on every way', '{% if context.params.a %}<div class="x">{% else %}<div>{% endif %}</div>', []],
    [
      'closed and opened again',
      '<div>{% for i in (1..3) %}{% if i == 2 %}</div><div>{% endif %}{% endfor %}</div>',
      [],
    ],
    ['never closed', '<section><div></div>', ['unclosed-html 1:1']],
    ['closed too often', '<div></div></div>', ['unclosed-html 1:12']],
    ['closed without being opened', '<p>x</span></p>', ['unclosed-html 1:5']],
    ['closed by what a partial prints', `<section>{% render 'end' %}`, ['missing-partial 1:20']],
    ['ends that may be left out', '<ul><li>a<li>b</ul><p>x<table><tr><td>1</table>', []],
    ['elements without an end', '<br><input><hr/><path d="x"/>', []],
    ['a comparison in a text', '1 < 2 <3 a<b', []],
    ['an element whose name is computed', `<h{{ context.language }}>x</h{{ context.language }}>`, []],
    ['an attribute with a sign', `<a title="a > b" href='#'>x</a>`, []],
  ])('%s', (_name, page, expected) => {
    expect(problems(page)).toEqual(expected)
  })
})

describe('links', () => {
  const pages = (text: string): Files => ({
    'app/config.yml': 'slug_exact_match: true\n',
    [PAGE]: text,
    'app/views/pages/about.liquid': 'x',
    'app/views/pages/item.liquid': '---\nslug: items/:id(/:tab)\n---\nx',
    'app/views/pages/save.liquid': '---\nslug: save\nmethod: post\n---\nx',
    'app/views/pages/feed.rss.liquid': 'x',
  })
  it.each<[string, string, readonly string[]]>([
    ['to a page', '<a href="/about">x</a><a href="/about/?a=1#b">x</a><a href="/">x</a>', []],
    ['to a page with parameters', '<a href="/items/5">x</a><a href="/items/5/photos">x</a>', []],
    ['to a page with too many', '<a href="/items/5/photos/1">x</a>', ['missing-page 1:1']],
    ['to nowhere', '<a href="/nowhere">x</a>', ['missing-page 1:1']],
    ['to another format', '<a href="/feed.rss">x</a>', []],
    ['to a computed path', '<a href="/{{ context.params.id }}">x</a>', []],
    [
      'to a computed path below what no page answers',
      '<a href="/x/{{ context.params.id }}">x</a>',
      ['missing-page 1:1'],
    ],
    [
      'to other hosts and places',
      '<a href="https://example.com/x">x</a><a href="//x.y/z">x</a><a href="#top">x</a><a href="mailto:a@b.c">x</a><a href="other">x</a>',
      [],
    ],
    ['to an asset', '<a href="/assets/x.pdf">x</a><a href="/files/x.zip">x</a>', []],
    [
      'a form with its method',
      '<form action="/save" method="post"><input name="authenticity_token" value="{{ context.authenticity_token }}"></form>',
      [],
    ],
    ['a form with another method', '<form action="/save"></form>', ['missing-page 1:1']],
    [
      'a redirect',
      `{% if context.params.a %}{% redirect_to '/nowhere' %}{% else %}{% redirect_to '/about' %}{% endif %}`,
      ['missing-page 1:41'],
    ],
  ])('%s', (_name, page, expected) => {
    expect(problems(pages(page))).toEqual(expected)
  })

  it.each<[string, string, string, readonly string[]]>([
    ['goes on behind a slug', '', '/about/us/and/more', []],
    ['goes on behind a name', 'slug_exact_match: false', '/items/5/photos/1/2', []],
    ['goes on as far as the page allows', '', '/near/1', []],
    ['goes on farther', '', '/near/1/2', ['missing-page 1:1']],
    ['goes on behind a page that answers alone', '', '/alone/1', ['missing-page 1:1']],
    ['goes on behind an error page', '', '/404/1', ['missing-page 1:1']],
    ['begins like no slug', '', '/abou/1', ['missing-page 1:1']],
  ])('of a site without exact matching that %s', (_name, config, path, expected) => {
    const site = {
      ...pages(`<a href="${path}">x</a>`),
      'app/config.yml': `${config}\n`,
      'app/views/pages/near.liquid': '---\nmax_deep_level: 2\n---\nx',
      'app/views/pages/alone.liquid': '---\nmax_deep_level: 1\n---\nx',
      'app/views/pages/404.liquid': 'x',
    }
    expect(problems(site)).toEqual(expected)
  })
})

describe('links of a module that is a site of its own', () => {
  const link = { 'modules/shop/public/views/pages/shop.liquid': '<a href="/nowhere">x</a>' }
  it('may lead into the sites that install it', () => expect(problems(link)).toEqual([]))
  it('are told where a site has installed it', () =>
    expect(problems({ ...link, 'app/views/pages/index.liquid': 'x' })).toEqual(['missing-page shop.liquid 1:1']))
})

describe('HTML in translations', () => {
  it.each<[string, string | null]>([
    ['plain', null],
    ['<b>x</b>', null],
    ['a < b', null],
    ['<b>x', '`<b>` is not closed'],
    ['x</b>', '`</b>` closes nothing'],
    ['<a href="x', 'a tag is not closed with `>`'],
  ])('%s', (text, expected) => {
    expect(htmlProblem(text)).toBe(expected)
  })
})
