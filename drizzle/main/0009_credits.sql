CREATE TABLE `credit_auto_recharges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`threshold_type` text NOT NULL,
	`threshold_value` text NOT NULL,
	`target_balance` text NOT NULL,
	`max_spend_limit` text,
	`grant_expiration_period` text NOT NULL,
	`unit_price` text,
	`unit_currency` text,
	`spent_month` integer,
	`spent` text DEFAULT '0' NOT NULL,
	`pending_grant_id` text,
	`next_due_at` integer,
	`problem` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_auto_recharges_of` ON `credit_auto_recharges` (`customer_id`,`currency_id`);--> statement-breakpoint
CREATE INDEX `credit_auto_recharges_due` ON `credit_auto_recharges` (`environment_id`,`next_due_at`) WHERE next_due_at is not null;--> statement-breakpoint
CREATE TABLE `credit_consumptions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`amount` text NOT NULL,
	`dimensions` text,
	`sent_at` integer,
	`at` integer NOT NULL,
	`is_settled` integer NOT NULL,
	`usage_after` text,
	`limit_after` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_consumptions_key` ON `credit_consumptions` (`customer_id`,`idempotency_key`);--> statement-breakpoint
CREATE INDEX `credit_consumptions_waiting` ON `credit_consumptions` (`id`) WHERE is_settled = 0;--> statement-breakpoint
CREATE TABLE `credit_entries` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`environment_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`event_type` text NOT NULL,
	`amount` text NOT NULL,
	`from_account` text,
	`to_account` text,
	`feature_id` text,
	`event_id` text,
	`dimensions` text,
	`at` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grant_id`) REFERENCES `credit_grants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_entries_id` ON `credit_entries` (`id`);--> statement-breakpoint
CREATE INDEX `credit_entries_customer` ON `credit_entries` (`customer_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `credit_entries_wallet` ON `credit_entries` (`wallet_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `credit_entries_rare` ON `credit_entries` (`customer_id`,`event_type`,`sequence`) WHERE event_type <> 'CREDITS_CONSUMED';--> statement-breakpoint
CREATE INDEX `credit_entries_dimensions` ON `credit_entries` (`wallet_id`,`at`) WHERE dimensions is not null and event_type = 'CREDITS_CONSUMED';--> statement-breakpoint
CREATE TABLE `credit_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`display_name` text NOT NULL,
	`comment` text,
	`grant_type` text NOT NULL,
	`source_type` text,
	`source_id` text,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`consumed` text NOT NULL,
	`priority` integer NOT NULL,
	`effective_at` integer NOT NULL,
	`expire_at` integer,
	`next_due_at` integer,
	`voided_at` integer,
	`is_open` integer NOT NULL,
	`expiry_rank` integer NOT NULL,
	`is_paid` integer NOT NULL,
	`cost_amount` text NOT NULL,
	`cost_currency` text NOT NULL,
	`payment_collection` text NOT NULL,
	`invoice_id` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_grants_burn` ON `credit_grants` (`wallet_id`,`priority`,`expiry_rank`,`is_paid`,`effective_at`,`created_at`,`id`) WHERE is_open = 1;--> statement-breakpoint
CREATE INDEX `credit_grants_due` ON `credit_grants` (`environment_id`,`next_due_at`) WHERE next_due_at is not null;--> statement-breakpoint
CREATE INDEX `credit_grants_wallet_due` ON `credit_grants` (`wallet_id`,`next_due_at`) WHERE next_due_at is not null;--> statement-breakpoint
CREATE INDEX `credit_grants_customer` ON `credit_grants` (`customer_id`,`resource_ref`,`id`);--> statement-breakpoint
CREATE INDEX `credit_grants_wallet` ON `credit_grants` (`wallet_id`,`id`);--> statement-breakpoint
CREATE INDEX `credit_grants_created` ON `credit_grants` (`environment_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `credit_grants_source` ON `credit_grants` (`source_id`,`id`) WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX `credit_grants_invoice` ON `credit_grants` (`invoice_id`) WHERE invoice_id is not null;--> statement-breakpoint
CREATE TABLE `credit_usage` (
	`wallet_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`amount` text NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`wallet_id`, `span`, `at`, `feature_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`granted` text DEFAULT '0' NOT NULL,
	`overdraft` text DEFAULT '0' NOT NULL,
	`balance` text DEFAULT '0' NOT NULL,
	`consumed` text DEFAULT '0' NOT NULL,
	`expired` text DEFAULT '0' NOT NULL,
	`voided` text DEFAULT '0' NOT NULL,
	`active_amount` text DEFAULT '0' NOT NULL,
	`active_consumed` text DEFAULT '0' NOT NULL,
	`overdraft_grant_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_wallets_of` ON `credit_wallets` (`customer_id`,`currency_id`,`resource_ref`);--> statement-breakpoint
CREATE INDEX `credit_wallets_page` ON `credit_wallets` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `credit_wallets_currency` ON `credit_wallets` (`currency_id`);