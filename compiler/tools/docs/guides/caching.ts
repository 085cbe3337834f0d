/** The guide to caches. */
import { files, guide, list, page, part, text } from './guide.ts'

export const caching = guide('caching', {
  name: 'Caching',
  summary: 'Keep what is expensive to print: a part of a page, a page, or a whole answer.',
  words: 'cache slow fast performance speed expire redis fragment static dynamic',
  blocks: [
    part('A part of a page', 'fragment cache slow'),
    text('`cache` stores what its body prints. `expire` is in seconds.'),
    page(
      {
        'app/views/pages/ranking.liquid': `{% assign key = 'ranking-' | append: context.language %}
{% cache key, expire: 600 %}
  {% graphql menu = 'dishes/list' %}
  {% for dish in menu.dishes.results %}<li>{{ dish.name }}</li>{% endfor %}
{% endcache %}
`,
      },
      '/ranking',
      '…<li>Tomato soup</li>…',
    ),
    part('A page', 'dynamic_cache static_cache whole page'),
    text(
      '`dynamic_cache` stores the body of a page, after its policies. `static_cache` stores a whole answer, before them.',
    ),
    files({
      'app/views/pages/contact.liquid': `---
static_cache:
  expire: 3600
---
<p>Harbour 1</p>
`,
    }),
    part('Rules', 'key user language invalidate clear'),
    list(
      'Keys do not vary by user or language, so add what the fragment depends on. A blank key stores nothing.',
      'Fragments and page bodies are shared by all servers of a database. Whole answers are stored in each process. A changed view or translation starts a new cache.',
      'If many renders miss a key at once, one computes it. The others wait for at most six seconds.',
      'Each visitor gets their own CSRF token in a cached fragment.',
      'Not stored: output printed while a transaction is open, `static_cache` answers for a signed-in user, and pages of `dynamic_cache` without a key that read `current_user` or a field of the session.',
      'What the body of `cache` assigns is not there after a hit: use it only inside. `ingot check` reports cached values of a visitor.',
      '`REDIS_URL` moves the cache to Redis or Valkey. While it, or the database, is down, each process uses its own memory.',
    ),
    part('Why is a page slow?', 'profile measure trace explain index'),
    text(
      'The log has a line for each slow page and query, with the templates that led to it. `ingot explain QUERY` shows a plan, and `ingot check` reports queries in loops and queries that no index serves. [Monitoring](guides/monitoring.html) has metrics and traces, and [How fast](production/how-fast.html) our own measurements.',
    ),
  ],
})
