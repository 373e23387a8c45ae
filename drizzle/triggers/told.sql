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
