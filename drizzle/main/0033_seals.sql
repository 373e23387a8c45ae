ALTER TABLE `credit_notes` ADD `lines_seal` text;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `seal` text;--> statement-breakpoint
ALTER TABLE `customer_balance_entries` ADD `seal` text;--> statement-breakpoint
ALTER TABLE `invoice_payments` ADD `seal` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `lines_seal` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `seal` text;