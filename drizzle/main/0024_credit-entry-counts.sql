ALTER TABLE `credit_wallets` ADD `entry_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE credit_wallets SET entry_count = (SELECT count(*) FROM credit_entries WHERE wallet_id = credit_wallets.id);--> statement-breakpoint
CREATE INDEX `reached_alerts_by_currency` ON `reached_alerts` (`currency_id`,`id`) WHERE currency_id <> '';