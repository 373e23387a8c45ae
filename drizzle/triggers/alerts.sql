CREATE TRIGGER IF NOT EXISTS subscriptions_alerted_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_alerted_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_alerted_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_alerted_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS credit_wallets_alerted_update AFTER UPDATE OF consumed, waiting, active_amount ON credit_wallets
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE currency_id = NEW.currency_id AND currency_id <> '') BEGIN
	INSERT INTO credit_alert_changes VALUES (NEW.id, NEW.environment_id) ON CONFLICT DO NOTHING;
END;
