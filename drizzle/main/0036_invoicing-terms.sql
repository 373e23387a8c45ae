ALTER TABLE `customers` ADD `tax_exemption_provision` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `cash_discount` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `cash_discount` text;--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `cash_discount` text;