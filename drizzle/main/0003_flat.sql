CREATE TABLE `customer_counts` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_counts` (
	`environment_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`status` text NOT NULL,
	`pricing_type` text NOT NULL,
	`billing_period` text NOT NULL,
	`billing_country_code` text NOT NULL,
	`is_billed` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `plan_id`, `version_id`, `status`, `pricing_type`, `billing_period`, `billing_country_code`, `is_billed`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `customers_shown`;--> statement-breakpoint
DROP INDEX `customers_email`;--> statement-breakpoint
DROP INDEX `customers_name`;--> statement-breakpoint
CREATE INDEX `customers_created` ON `customers` (`environment_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customers_shown` ON `customers` (`environment_id`,`id`,`created_at`) WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`environment_id`,`email`,`id`);--> statement-breakpoint
CREATE INDEX `customers_name` ON `customers` (`environment_id`,`name`,`id`);--> statement-breakpoint
DROP INDEX `subscriptions_page`;--> statement-breakpoint
DROP INDEX `subscriptions_version`;--> statement-breakpoint
DROP INDEX `subscriptions_status`;--> statement-breakpoint
CREATE INDEX `subscriptions_created` ON `subscriptions` (`environment_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_plan_status` ON `subscriptions` (`plan_id`,`status`,`pricing_type`,`id`,`runs_until`,`cancel_at`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_resource` ON `subscriptions` (`resource_id`,`id`) WHERE resource_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_ends` ON `subscriptions` (`environment_id`,`runs_until`) WHERE runs_until IS NOT NULL AND status IN ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE');--> statement-breakpoint
CREATE INDEX `subscriptions_page` ON `subscriptions` (`environment_id`,`id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_version` ON `subscriptions` (`version_id`,`customer_id`,`status`,`runs_until`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`environment_id`,`status`,`pricing_type`,`id`,`runs_until`,`cancel_at`,`created_at`);--> statement-breakpoint
CREATE INDEX `promotional_entitlements_environment` ON `promotional_entitlements` (`environment_id`,`id`);
--> statement-breakpoint
DELETE FROM customer_counts;
--> statement-breakpoint
INSERT INTO customer_counts SELECT environment_id, count(*) FROM customers WHERE archived_at IS NULL GROUP BY environment_id;
--> statement-breakpoint
CREATE TRIGGER customers_counted_insert AFTER INSERT ON customers WHEN NEW.archived_at IS NULL BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_delete AFTER DELETE ON customers WHEN OLD.archived_at IS NULL BEGIN
	UPDATE customer_counts SET count = count - 1 WHERE environment_id = OLD.environment_id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_update AFTER UPDATE OF archived_at ON customers
WHEN (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL) BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, NEW.archived_at IS NULL)
	ON CONFLICT DO UPDATE SET count = count + CASE WHEN NEW.archived_at IS NULL THEN 1 ELSE -1 END;
END;
--> statement-breakpoint
DELETE FROM subscription_counts;
--> statement-breakpoint
INSERT INTO subscription_counts
SELECT environment_id, plan_id, version_id, status, pricing_type, coalesce(billing_period, ''), coalesce(billing_country_code, ''),
	billed_until IS NOT NULL AND coalesce(payment_collection_method, '') <> 'NONE', count(*)
FROM subscriptions GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_insert AFTER INSERT ON subscriptions BEGIN
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_delete AFTER DELETE ON subscriptions BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_update
AFTER UPDATE OF environment_id, plan_id, version_id, status, pricing_type, billing_period, billing_country_code, billed_until, payment_collection_method
ON subscriptions
WHEN (OLD.environment_id, OLD.plan_id, OLD.version_id, OLD.status, OLD.pricing_type, OLD.billing_period, OLD.billing_country_code,
		OLD.billed_until IS NULL, OLD.payment_collection_method)
	IS NOT (NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type, NEW.billing_period, NEW.billing_country_code,
		NEW.billed_until IS NULL, NEW.payment_collection_method)
BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
