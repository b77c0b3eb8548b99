@rem The commands of package.json begin with "exec", which the shell of Windows does not have.
@%*
