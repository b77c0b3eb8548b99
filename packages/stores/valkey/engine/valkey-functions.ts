import { REPEAT_SECONDS } from "@stile/protocol/limits";

/** How long a site's revision is believed once read, ms; a change ends that at once, if Valkey can be told of it. */
export const LEASE_MS = 2_000;
/**
 * How far apart the clocks of nodes may be, ms, so that a token from before the fence can be told from one after it.
 */
export const FENCE_SKEW_MS = 2_000;
/** From the first request on, ms: the counts of a minute are read in the next one too, and clocks differ. */
const RATE_LIFE_MS = 240_000;

/**
 * Commands that a user of the engine needs, by their names in its ACL: those sent directly, and those inside the
 * functions, which are checked against the user's rights too. SELECT is for another database than 0, WAIT for replicas,
 * WAITAOF for an fsync a second.
 */
export const NEEDED_COMMANDS: readonly string[] = [
  ...["info", "config|get", "function|load", "fcall", "scan", "hget", "hexists"],
  ...["time", "get", "incr", "pexpire", "hmget", "hset", "hsetnx", "hincrby", "hdel", "hlen", "unlink"],
  ...["select", "wait", "waitaof"],
];

/** The same if only limits are kept there. */
export const COMMANDS_FOR_LIMITS: readonly string[] = [
  "info",
  "function|load",
  "fcall",
  "get",
  "incr",
  "pexpire",
  "select",
];

/** Functions of the library, by what they do. */
export const FUNCTIONS = {
  begin: "stile_3_begin",
  learn: "stile_3_learn",
  change: "stile_3_change",
  redeem: "stile_3_redeem",
  spend: "stile_3_spend",
  consume: "stile_3_consume",
  sweep: "stile_3_sweep",
  ping: "stile_3_ping",
} as const;

/**
 * The rules of `single-use.ts`, repeated where the marks are kept: each function is one atomic step. They are never
 * changed in place: a library with another number follows, since nodes of the version before call the old one while the
 * first new one starts.
 *
 * Data can be taken away, or put back as it was earlier, under an engine that runs on. So the process remembers two
 * things beside its data, in variables that start empty whenever the library is loaded: the last `beginning` of the
 * data in each database, and how many marks each hash has had since. Where the data disagree with that, nothing is
 * spent until there was another beginning, which sets a fence.
 *
 * The hash of a site holds its `revision`, believed until `until` by the engine's clock and only in the `beginning` in
 * which it was learned; the `fence` of that beginning; and `stamp`, the number of changes so far. Whoever teaches a
 * revision read it after reading the stamp, and is ignored if there was a change meanwhile. So a changed revision is
 * never believed after the change was reported, and, if nobody reported it, no longer than the lease. An engine that
 * lost the hash lost the belief with it; and if it was emptied, or replaced by another, while somebody was learning, it
 * ignores what was learned before.
 *
 * When memory is short, calls that spend or count are refused, and everything else goes on: expired marks are removed,
 * and changes are accepted.
 */
export const LIBRARY = `#!lua name=stile_3
local LEASE_MS, FENCE_SKEW_MS, RATE_LIFE_MS = ${LEASE_MS}, ${FENCE_SKEW_MS}, ${RATE_LIFE_MS}
local REPEAT_MS, MINUTE_MS = ${REPEAT_SECONDS * 1000}, 60000

-- What this process knows beside its data: the last beginning of each database, and what each of these holds: the numbers of marks by kind, site and second.
local last, begun = {}, {}

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- What is known of the site; or nil and what to answer, if its revision has to be learned first: also where the caller knows a newer one.
local function find_site(key, beginning, revision, has_learned)
  if not begun[beginning] then return nil, {'other_beginning'} end
  local known = redis.call('HMGET', key, 'beginning', 'until', 'revision', 'fence', 'stamp', 'swept_tokens', 'swept_challenges')
  local asked_at, until_ms = now_ms(), tonumber(known[2] or 0)
  -- A clock that was set back must not make the lease a longer one.
  local is_believed = known[1] == beginning and asked_at < until_ms and until_ms - asked_at <= LEASE_MS
  if not is_believed or (tonumber(known[3]) < tonumber(revision) and has_learned ~= '1') then
    return nil, {'unknown', tonumber(known[5] or 0), asked_at}
  end
  return {
    revision = tonumber(known[3]),
    fence = tonumber(known[4]),
    swept_tokens = tonumber(known[6] or -1),
    swept_challenges = tonumber(known[7] or -1),
  }
end

local function counts_of(this_key, before_key)
  return tonumber(redis.call('GET', this_key) or 0), tonumber(redis.call('GET', before_key) or 0)
end

local function is_admitted(per_minute, this_minute, minute_before, now)
  return (per_minute - this_minute) * MINUTE_MS - minute_before * (MINUTE_MS - now % MINUTE_MS) >= MINUTE_MS
end

local function add_request(key)
  if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, RATE_LIFE_MS) end
end

-- Data that name another beginning may be a copy; those of the version before name none, until this process begins on them.
local function begin(keys, args)
  local run, now, drawn, database = args[1], tonumber(args[2]), args[3], args[4]
  local known = redis.call('HMGET', keys[1], 'id', 'fence', 'dataset', 'beginning')
  local fence, dataset = tonumber(known[2] or -1), known[3] or drawn
  local is_last = known[4] and known[4] == last[database] and begun[known[4]]
  if known[1] == run and is_last then return {known[4], dataset} end
  if known[1] ~= run or known[4] or last[database] then fence = math.max(fence, now + FENCE_SKEW_MS) end
  if last[database] then begun[last[database]] = nil end
  last[database], begun[drawn] = drawn, {swept_tokens = {}, swept_challenges = {}}
  redis.call('HSET', keys[1], 'id', run, 'fence', string.format('%d', fence), 'dataset', dataset, 'beginning', drawn)
  return {drawn, dataset}
end

local function learn(keys, args)
  local known = redis.call('HMGET', keys[2], 'id', 'fence', 'beginning')
  if not begun[args[3]] or known[3] ~= args[3] then return 'other_beginning' end
  if tonumber(redis.call('HGET', keys[1], 'stamp') or 0) ~= tonumber(args[1]) then return 'changed' end
  -- Nodes of the version before believe a revision by its generation.
  redis.call('HSET', keys[1], 'until', string.format('%d', tonumber(args[2]) + LEASE_MS),
    'generation', known[1], 'beginning', args[3], 'fence', known[2], 'revision', args[4])
  return 'learned'
end

local function change(keys)
  redis.call('HINCRBY', keys[1], 'stamp', 1)
  redis.call('HDEL', keys[1], 'until')
  return 1
end

local function second_of(marks)
  return tonumber(string.match(marks, '%d+$'))
end

-- Whether the mark was added; and nil if others were lost from there: nothing is spent then until another beginning.
local function add_mark(beginning, kind, keys, id, content)
  if redis.call('HSETNX', keys[2], id, content) == 0 then return false end
  local held, second, count = begun[beginning][kind], second_of(keys[2]), redis.call('HLEN', keys[2])
  local counts = held[keys[1]] or {}
  if count <= (counts[second] or 0) then
    begun[beginning] = nil
    return nil
  end
  held[keys[1]], counts[second] = counts, count
  return true
end

local function redeem(keys, args)
  local site, unknown = find_site(keys[1], args[1], args[2], args[10])
  if site == nil then return unknown end
  local id, until_ms, now = args[3], tonumber(args[4]), tonumber(args[5])
  if site.revision ~= tonumber(args[2]) then return {'site_changed'} end
  -- What was issued before the fence may have been spent and forgotten: it counts as expired.
  local is_repeat_only = args[8] == '1' or tonumber(args[9]) <= site.fence
  local this_minute, minute_before = counts_of(keys[3], keys[4])
  local admitted = is_admitted(tonumber(args[6]), this_minute, minute_before, now)
  if admitted and not is_repeat_only and until_ms > site.swept_tokens then
    local is_added = add_mark(args[1], 'swept_tokens', keys, id, args[5] .. ':' .. args[7])
    if is_added == nil then return {'other_beginning'} end
    if is_added then
      add_request(keys[3])
      return {'spent', this_minute, minute_before}
    end
  end
  local mark = redis.call('HGET', keys[2], id)
  if mark then
    local colon = string.find(mark, ':', 1, true)
    local spent_at, digest = tonumber(string.sub(mark, 1, colon - 1)), string.sub(mark, colon + 1)
    if digest ~= '' and digest == args[7] and now - spent_at < REPEAT_MS then return {'repeated', spent_at} end
  end
  if is_repeat_only then return {'not_repeated'} end
  -- Admitted, not found and yet not inserted: it may have been spent and swept.
  if mark or admitted then return {'already_used'} end
  return {'limited', this_minute, minute_before}
end

local function spend(keys, args)
  local site, unknown = find_site(keys[1], args[1], args[2], args[6])
  if site == nil then return unknown end
  local until_ms, issued_at = tonumber(args[4]), tonumber(args[5])
  if site.revision ~= tonumber(args[2]) then return {'site_changed'} end
  if until_ms <= site.swept_challenges or issued_at <= site.fence then return {'already_spent'} end
  local is_added = add_mark(args[1], 'swept_challenges', keys, args[3], '')
  if is_added == nil then return {'other_beginning'} end
  return {is_added and 'spent' or 'already_spent'}
end

local function consume(keys, args)
  local this_minute, minute_before = counts_of(keys[1], keys[2])
  if is_admitted(tonumber(args[1]), this_minute, minute_before, tonumber(args[2])) then add_request(keys[1]) end
  return {this_minute, minute_before}
end

-- The horizon first: what is swept is never fresh again, whatever the clocks say.
local function sweep(keys, args)
  local horizon = tonumber(redis.call('HGET', keys[1], args[1]) or -1)
  if tonumber(args[2]) > horizon then redis.call('HSET', keys[1], args[1], args[2]) end
  local count = redis.call('HLEN', keys[2])
  redis.call('UNLINK', keys[2])
  local held = (begun[args[3]] or {})[args[1]] or {}
  local counts = held[keys[1]] or {}
  counts[second_of(keys[2])] = nil
  if next(counts) == nil then held[keys[1]] = nil end
  return count
end

-- Writes, so that it fails where nothing can be spent.
local function ping(keys)
  return redis.call('HINCRBY', keys[1], 'pings', 1)
end

local function register(name, callback, flags)
  redis.register_function{function_name = name, callback = callback, flags = flags}
end

register('${FUNCTIONS.begin}', begin, {'allow-oom'})
register('${FUNCTIONS.learn}', learn, {'allow-oom'})
register('${FUNCTIONS.change}', change, {'allow-oom'})
register('${FUNCTIONS.redeem}', redeem, {})
register('${FUNCTIONS.spend}', spend, {})
register('${FUNCTIONS.consume}', consume, {})
register('${FUNCTIONS.sweep}', sweep, {'allow-oom'})
register('${FUNCTIONS.ping}', ping, {})
`;
