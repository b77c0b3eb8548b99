// Both are installed without their types.
declare module "express";
declare module "multer";
