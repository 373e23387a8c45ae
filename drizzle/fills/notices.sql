-- What runs at the upgrade: trials that have not ended, gifts that are not over, invoices that are not overdue yet.
INSERT INTO outbox_notices (type, entity_id, environment_id, next_due_at)
SELECT 'subscription.trial.ends_soon', id, environment_id, trial_end_at - 604800000 FROM subscriptions
WHERE status = 'IN_TRIAL' AND trial_end_at > (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id);
--> statement-breakpoint
INSERT INTO outbox_notices (type, entity_id, environment_id, next_due_at)
SELECT 'promotionalEntitlement.expired', id, environment_id, end_at FROM promotional_entitlements
WHERE revoked_at IS NULL AND end_at > (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id);
--> statement-breakpoint
INSERT INTO outbox_notices (type, entity_id, environment_id, next_due_at)
SELECT 'invoice.overdue', id, environment_id, due_at - due_at % 86400000 + 86400000 FROM invoices
WHERE state = 'OPEN' AND due_at - due_at % 86400000 + 86400000 > (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id);
