#!lua name=potluck_@DIGEST@

-- Stores the events of one command: all of them, or none.
--
-- Neither a script nor MULTI rolls back: when a command fails half-way, what was written before it
-- stays. So every key is looked at first and nothing is written until it is certain that nothing
-- can fail any more. The one write that cannot be foreseen (the feed's automatic id) comes first
-- and is allowed to fail.
--
-- The function has no flags. That makes the server refuse it as a whole, before its first line,
-- when it is out of memory, read-only, or cannot write to its disk.
--
-- KEYS  1 events  2 commands  3 feed  4 due  5 open  6 running  7 ended  8... games of each player
-- ARGV  1 game  2 expected version  3 number of entries  4 command key, 16 bytes or empty
--       5 digest, 8 bytes  6 list: open, running, ended or empty  7 created, ms
--       8 due, ms, or empty  9 feed's bound  10 wake-up channel
--       11 chain hash of the expected version, 32 bytes or empty
--       12... body, chain hash, aside of each entry
-- Gives an array whose first member is one of the codes below; the rest is listed beside it.

local APPENDED = 0 -- first, last
local REPEATED = 1 -- first, last: the key was known, with the same digest
local REUSED = 2   -- first, last: the key was known, with another digest
local CONFLICT = 3 -- the game's version
local CORRUPT = 4  -- what was found
local REFUSED = 5  -- which argument is out of bounds

local FIRST_SORTED_SET = 4
local KEYS_BEFORE_PLAYERS = 7
local ARGUMENTS_BEFORE_ENTRIES = 11
local MAX_VERSION = 1000000000
local MAX_ENTRIES = 1000
local MAX_BODIES = 4 * 1024 * 1024
local MAX_ASIDE = 4 * 1024

local LISTS = { open = 5, running = 6, ended = 7 }

local function whole(text)
  return #text <= 16 and string.match(text, '^%d+$')
end

local function refused(keys, args, expected, count)
  if not expected or expected < 0 or expected % 1 ~= 0 then return 'expected' end
  if not count or count < 1 or count > MAX_ENTRIES or count % 1 ~= 0 then return 'count' end
  if expected + count > MAX_VERSION then return 'version' end
  if #args ~= ARGUMENTS_BEFORE_ENTRIES + 3 * count then return 'entries' end
  if #keys < KEYS_BEFORE_PLAYERS then return 'keys' end
  if #args[4] ~= 0 and #args[4] ~= 16 then return 'key' end
  if #args[5] ~= 8 then return 'digest' end
  if args[6] ~= '' and not LISTS[args[6]] then return 'list' end
  if not whole(args[7]) then return 'created' end
  if args[8] ~= '' and not whole(args[8]) then return 'due' end
  if not whole(args[9]) then return 'feed' end
  if #args[11] ~= 0 and #args[11] ~= 32 then return 'head' end
  local size = 0
  for at = ARGUMENTS_BEFORE_ENTRIES + 1, #args, 3 do
    size = size + #args[at]
    if #args[at + 1] ~= 32 then return 'chain' end
    if #args[at + 2] > MAX_ASIDE then return 'aside' end
  end
  if size > MAX_BODIES then return 'bodies' end
  return nil
end

local function type_of(key)
  return redis.call('TYPE', key).ok
end

-- Each sorted set's score of the game, false where it has none; or nil and the first key that is no
-- sorted set. One command does for both: it fails on another type.
local function scores_of(keys, game)
  local scores = {}
  for at = FIRST_SORTED_SET, #keys do
    local score = redis.pcall('ZSCORE', keys[at], game)
    if type(score) == 'table' then return nil, keys[at] end
    scores[at] = score
  end
  return scores
end

-- Gives a game its score in a sorted set, or takes it out if the score is nil. What stands as it
-- should is left alone, which is the rule: most events change no list.
local function place(key, game, was, score)
  if score then
    if was ~= score then redis.call('ZADD', key, score, game) end
  elseif was then
    redis.call('ZREM', key, game)
  end
end

local function field(fields, name)
  for at = 1, #fields, 2 do
    if fields[at] == name then return fields[at + 1] end
  end
  return nil
end

-- The stream's version and its newest entry's chain hash, or nil and what is wrong. The version is
-- the last id ever given out: after the newest entry was deleted the server still refuses that id,
-- so the stream would stand still for ever.
local function tip(events)
  local information = redis.call('XINFO', 'STREAM', events)
  local last_id = field(information, 'last-generated-id')
  local newest = field(information, 'last-entry')
  if not newest then return nil, 'the stream is empty and its last id is ' .. last_id end
  if newest[1] ~= last_id then
    return nil, 'the newest entry is ' .. newest[1] .. ' but the last id is ' .. last_id
  end
  local version = string.match(last_id, '^(%d+)%-0$')
  if not version then return nil, 'the newest entry is ' .. last_id end
  return tonumber(version), field(newest[2], 'chain')
end

-- Whether exactly these entries are stored already: an earlier call of which only the answer was
-- lost. Two who do the same in the same millisecond make equal events; what stands aside, the id of
-- a request, tells them apart.
local function stored_already(events, args, expected, count)
  local stored = redis.call('XRANGE', events, (expected + 1) .. '-0', (expected + count) .. '-0')
  if #stored ~= count then return false end
  for index = 1, count do
    local at = ARGUMENTS_BEFORE_ENTRIES + 3 * (index - 1)
    local fields = stored[index][2]
    local same = field(fields, 'body') == args[at + 1] and field(fields, 'chain') == args[at + 2]
    if not same or field(fields, 'aside') ~= args[at + 3] then return false end
  end
  return true
end

local function append(keys, args)
  local expected, count = tonumber(args[2]), tonumber(args[3])
  local argument = refused(keys, args, expected, count)
  if argument then return { REFUSED, argument } end

  local events, commands, feed = keys[1], keys[2], keys[3]
  local events_type, commands_type = type_of(events), type_of(commands)
  if events_type ~= 'stream' and events_type ~= 'none' then
    return { CORRUPT, 'key ' .. events .. ' is no stream' }
  end
  if commands_type ~= 'hash' and commands_type ~= 'none' then
    return { CORRUPT, 'key ' .. commands .. ' is no hash' }
  end

  local command = args[4]
  if command ~= '' and commands_type == 'hash' then
    local recorded = redis.call('HGET', commands, command)
    if recorded then
      local first, length, digest = string.match(recorded, '^(%d+):(%d+):(.*)$')
      if not first then return { CORRUPT, 'a command key stands for an unreadable record' } end
      local code = digest == args[5] and REPEATED or REUSED
      return { code, tonumber(first), tonumber(first) + tonumber(length) - 1 }
    end
  end

  local version = 0
  if events_type == 'stream' then
    local chain
    version, chain = tip(events)
    if not version then return { CORRUPT, chain } end
    if version ~= expected then
      if version >= expected + count and stored_already(events, args, expected, count) then
        return { APPENDED, expected + 1, expected + count }
      end
      return { CONFLICT, version }
    end
    if args[11] ~= '' and args[11] ~= chain then return { CONFLICT, version } end
  elseif commands_type == 'hash' then
    return { CORRUPT, 'command keys without events' }
  elseif expected ~= 0 then
    return { CONFLICT, 0 }
  end

  local game, last = args[1], string.format('%d', expected + count)
  local scores, misfit = scores_of(keys, game)
  if not scores then return { CORRUPT, 'key ' .. misfit .. ' is no sorted set' } end

  -- From here on everything is written.
  local pointer = redis.pcall('XADD', feed, 'MAXLEN', '~', args[9], '*', 'game', game, 'version', last)
  if type(pointer) == 'table' and pointer.err then
    return { CORRUPT, 'key ' .. feed .. ' takes no entry' }
  end
  for index = 1, count do
    local at = ARGUMENTS_BEFORE_ENTRIES + 3 * (index - 1)
    redis.call('XADD', events, string.format('%d-0', expected + index),
      'body', args[at + 1], 'chain', args[at + 2], 'aside', args[at + 3])
  end
  if command ~= '' then
    redis.call('HSET', commands, command, string.format('%d:%d:', expected + 1, count) .. args[5])
  end
  place(keys[4], game, scores[4], args[8] ~= '' and args[8])
  for at = 5, KEYS_BEFORE_PLAYERS do
    place(keys[at], game, scores[at], at == LISTS[args[6]] and args[7])
  end
  for at = KEYS_BEFORE_PLAYERS + 1, #keys do
    place(keys[at], game, scores[at], args[7])
  end
  redis.call('SPUBLISH', args[10], game .. ' ' .. last)
  return { APPENDED, expected + 1, expected + count }
end

redis.register_function('potluck_append_@DIGEST@', append)
