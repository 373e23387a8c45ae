DROP TRIGGER IF EXISTS subscriptions_alerted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS subscriptions_alerted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS promotional_entitlements_alerted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS promotional_entitlements_alerted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS credit_wallets_alerted_update;
--> statement-breakpoint
CREATE TABLE `credit_alert_changes` (
	`wallet_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_reached_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`currency_id` text DEFAULT '' NOT NULL,
	`resource_ref` text NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`usage` text NOT NULL,
	`usage_limit` text,
	`period_start` integer NOT NULL,
	`period_end` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_reached_alerts`("id", "environment_id", "alert_id", "customer_id", "feature_id", "currency_id", "resource_ref", "type", "threshold", "usage", "usage_limit", "period_start", "period_end", "created_at", "updated_at") SELECT "id", "environment_id", "alert_id", "customer_id", "feature_id", '', "resource_ref", "type", "threshold", "usage", "usage_limit", "period_start", "period_end", "created_at", "updated_at" FROM `reached_alerts`;--> statement-breakpoint
DROP TABLE `reached_alerts`;--> statement-breakpoint
ALTER TABLE `__new_reached_alerts` RENAME TO `reached_alerts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `reached_alerts_once` ON `reached_alerts` (`alert_id`,`customer_id`,`resource_ref`,`period_start`,`type`,`threshold`);--> statement-breakpoint
CREATE INDEX `reached_alerts_of_currency` ON `reached_alerts` (`currency_id`,`id`) WHERE currency_id <> '';--> statement-breakpoint
CREATE INDEX `reached_alerts_of_wallet` ON `reached_alerts` (`customer_id`,`currency_id`,`resource_ref`,`period_start`) WHERE currency_id <> '';--> statement-breakpoint
CREATE INDEX `reached_alerts_page` ON `reached_alerts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `reached_alerts_of_customer` ON `reached_alerts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `reached_alerts_of_feature` ON `reached_alerts` (`feature_id`,`id`);--> statement-breakpoint
CREATE TABLE `__new_usage_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`currency_id` text DEFAULT '' NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_usage_alerts`("id", "environment_id", "customer_id", "feature_id", "currency_id", "type", "threshold", "created_at", "updated_at") SELECT "id", "environment_id", "customer_id", "feature_id", '', "type", "threshold", "created_at", "updated_at" FROM `usage_alerts`;--> statement-breakpoint
DROP TABLE `usage_alerts`;--> statement-breakpoint
ALTER TABLE `__new_usage_alerts` RENAME TO `usage_alerts`;--> statement-breakpoint
CREATE UNIQUE INDEX `usage_alerts_once` ON `usage_alerts` (`environment_id`,`customer_id`,`feature_id`,`currency_id`,`type`,`threshold`);--> statement-breakpoint
CREATE INDEX `usage_alerts_of_currency` ON `usage_alerts` (`currency_id`,`id`) WHERE currency_id <> '';--> statement-breakpoint
CREATE INDEX `usage_alerts_page` ON `usage_alerts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `usage_alerts_of_customer` ON `usage_alerts` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `usage_alerts_of_feature` ON `usage_alerts` (`feature_id`,`id`);--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `invoice_line` integer;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `is_by_hand` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `voided_at` integer;
--> statement-breakpoint
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
