-- compatible_from: 0001
-- A policy that is deleted takes its exceptions with it from now on. Those that deleted policies have left are revoked here, also
-- where a policy has taken the id since: nobody has judged whether they should excuse from that one.
with revoked as (
  update exceptions e set status = 'revoked', updated_at = now()
  from policies p
  where p.id = e.policy_id and e.status in ('pending', 'approved')
    and e.until > now() and (p.deleted_at is not null or e.requested_at < p.created_at)
  returning e.id, e.policy_id
), raised as (
  update revisions set revision = revision + 1 where what = 'exceptions' and exists (select from revoked)
)
insert into audit (at, actor, operation, subject, area, detail)
select now(), 'service:default/plinth', 'revokeException', 'exception:' || id, 'governance',
  jsonb_build_object('policyId', policy_id, 'reason', 'The policy was deleted.')
from revoked;
