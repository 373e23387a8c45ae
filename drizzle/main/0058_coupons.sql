ALTER TABLE `environments` ADD `discount_stacking` text;--> statement-breakpoint
ALTER TABLE `coupons` ADD `applies_to` text;--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `discounts` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `discounts` text;--> statement-breakpoint
ALTER TABLE `subscription_coupons` ADD `position` integer;