CREATE TABLE `outbox_notices` (
	`type` text NOT NULL,
	`entity_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`next_due_at` integer NOT NULL,
	PRIMARY KEY(`entity_id`, `type`)
);
--> statement-breakpoint
CREATE INDEX `outbox_notices_due` ON `outbox_notices` (`environment_id`,`next_due_at`);
--> statement-breakpoint
CREATE TABLE `entitlement_changes` (
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`customer_id`, `resource_id`)
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_told_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''), 'subscription_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_told_thresholds_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, '')) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_told_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''), 'subscription_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_told_thresholds_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, '')) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_told_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, '', 'promotional_entitlement_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_told_thresholds_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_told_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, '', 'promotional_entitlement_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_told_thresholds_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
