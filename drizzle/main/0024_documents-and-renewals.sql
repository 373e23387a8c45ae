ALTER TABLE `contracts` ADD `renewal` text;--> statement-breakpoint
ALTER TABLE `credit_wallets` ADD `entry_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE credit_wallets SET entry_count = (SELECT count(*) FROM credit_entries WHERE wallet_id = credit_wallets.id);--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `unit` text;--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `basis` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `unit` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `basis` text;