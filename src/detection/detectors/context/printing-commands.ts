/** Commands whose output is a secret, or may be one. */

/** Commands that print what they are asked for. Others print names and places of what they work on. */
export const printers = new Set(
  (
    'echo printenv cat head tail printf kubectl oc gcloud op pass vault aws az heroku argocd security gopass doppler terraform tofu ' +
    'nmcli jq yq base64 docker secret-tool consul nomad sops bw infisical fly flyctl openssl pwgen doctl snowsql chamber wg rails etcdctl redis-cli php wp drush supabase railway netlify vercel ' +
    'tr dd gpg python python3 node ruby perl xxd LC_ALL'
  ).split(' ')
)
/** Those that print nothing but secrets. */
export const makers = [
  'op read',
  'gopass show',
  'pass show',
  'openssl rand',
  'pwgen ',
  'wg gen',
  'rails secret',
  'php artisan key:generate'
]
/** Sources of random data, calls that generate it, and files of one secret, in commands that print nothing else. */
export const sources = [
  '.erlang.cookie',
  '/dev/urandom',
  '/dev/random',
  'get_random_secret_key',
  'secrets.token_',
  'randomBytes(',
  'SecureRandom',
  '--gen-random'
]
