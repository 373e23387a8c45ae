DELETE FROM subscription_counts;
--> statement-breakpoint
INSERT INTO subscription_counts
SELECT environment_id, plan_id, version_id, status, pricing_type, coalesce(billing_period, ''), coalesce(billing_country_code, ''),
	coalesce(billing_currency, ''), billed_until IS NOT NULL AND coalesce(payment_collection_method, '') <> 'NONE', count(*)
FROM subscriptions GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_insert AFTER INSERT ON subscriptions BEGIN
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''), coalesce(NEW.billing_currency, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_delete AFTER DELETE ON subscriptions BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND billing_currency = coalesce(OLD.billing_currency, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_update
AFTER UPDATE OF environment_id, plan_id, version_id, status, pricing_type, billing_period, billing_country_code, billing_currency,
	billed_until, payment_collection_method
ON subscriptions
WHEN (OLD.environment_id, OLD.plan_id, OLD.version_id, OLD.status, OLD.pricing_type, OLD.billing_period, OLD.billing_country_code,
		OLD.billing_currency, OLD.billed_until IS NULL, OLD.payment_collection_method)
	IS NOT (NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type, NEW.billing_period, NEW.billing_country_code,
		NEW.billing_currency, NEW.billed_until IS NULL, NEW.payment_collection_method)
BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND billing_currency = coalesce(OLD.billing_currency, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''), coalesce(NEW.billing_currency, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
