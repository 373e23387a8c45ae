CREATE TABLE `credit_priced_units` (
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`period_start` integer NOT NULL,
	`units` text NOT NULL,
	PRIMARY KEY(`customer_id`, `feature_id`, `resource_ref`, `period_start`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_report_draws` (
	`report_id` text PRIMARY KEY NOT NULL,
	`wallet_id` text NOT NULL,
	`consumed` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `credit_wallets_resource` ON `credit_wallets` (`customer_id`,`resource_ref`);