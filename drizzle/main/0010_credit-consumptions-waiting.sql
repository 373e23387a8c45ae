ALTER TABLE `credit_consumptions` ADD `period_end_after` integer;--> statement-breakpoint
ALTER TABLE `credit_wallets` ADD `waiting` text DEFAULT '0' NOT NULL;--> statement-breakpoint
CREATE INDEX `credit_wallets_customer` ON `credit_wallets` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `credit_grants_recurring` ON `credit_grants` (`wallet_id`,`expire_at`) WHERE status = 'ACTIVE' and grant_type = 'RECURRING' and expire_at is not null;